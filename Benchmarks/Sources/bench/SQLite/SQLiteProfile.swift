import GRDB

/// A profile as GRDB reads it: three strings that are not parsed.
struct SQLiteProfile: FetchableRecord, Equatable, Sendable {
    let id: String
    let mailAddress: String?
    let birthday: String?

    /// Columns are read by index, which is the fastest way in GRDB.
    init(row: Row) {
        id = row[0]
        mailAddress = row[1]
        birthday = row[2]
    }

    init(id: String, mailAddress: String?, birthday: String?) {
        self.id = id
        self.mailAddress = mailAddress
        self.birthday = birthday
    }
}
