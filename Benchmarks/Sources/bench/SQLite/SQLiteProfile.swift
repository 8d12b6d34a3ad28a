import GRDB

/// A profile as GRDB reads it: three texts, which nobody looks at again.
struct SQLiteProfile: FetchableRecord, Equatable, Sendable {
    let id: String
    let mailAddress: String?
    let birthday: String?

    /// By the numbers of the columns, which is GRDB's quickest way.
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
