import UserProfileKit

/// One record of any collection: its fields, the records to which it refers and that refer to it, and its JSON.
struct RecordPage: Page {
    static let template = "Record"

    /// The maximum number of referring records that the page lists for each reference.
    static let maximumReferrerCount = 20

    /// The records that refer to this one by one field.
    struct Referrers: Sendable {
        let collection: String
        let field: String
        let records: [RecordField.Target]
        /// The address of all of them, or `nil` if the page lists them.
        let allAddress: String?
    }

    let frame: Frame
    let navigation = NavigationItem.items(current: "")
    let title: String
    let exists: Bool
    let collection: String
    let collectionAddress: String
    /// The address of the profile, if the record is one.
    let profileAddress: String?
    let fields: [RecordField]
    let referrers: [Referrers]
    let hasReferrers: Bool
    let json: String?
    let editor: RecordEditor?
    let saveAction: String
    /// Whether the record has no form although the studio can change the store.
    let isTooLarge: Bool
    let notice: String?
    let eventsAddress: String

    /// Reads the record and those that refer to it.
    ///
    /// - Parameters:
    ///   - address: The address of the record.
    ///   - storage: The storage.
    ///   - frame: The store.
    ///   - editor: The form of a rejected change; `nil` for the saved record.
    ///   - notice: The message about the completed change, or `nil`.
    /// - Throws: `DataStoreError` if the store cannot be read.
    init(
        _ address: RecordAddress, in storage: UserProfileStorage, frame: Frame, editor: RecordEditor? = nil,
        notice: String? = nil
    ) async throws {
        let key = try address.key()
        let (record, fields, referrers) = try await storage.records.read { transaction in
            let record = try transaction.record(for: key)
            let references = try transaction.references()
            let own = references.filter { $0.collection == key.collection }.map(\.reference)
            let fields = record.map { record in
                RecordField.fields(of: record, in: key.collection, own, limit: RecordsPage.maximumFieldCount)
            }
            var referrers: [Referrers] = []
            for (collection, reference) in references where reference.target == key.collection {
                let found = try Referrers(to: key, from: collection, by: reference.path, in: transaction)
                if let found { referrers.append(found) }
            }
            return (record, fields ?? [], referrers)
        }
        self.frame = frame
        self.notice = notice
        title = "\(key)"
        exists = record != nil
        collection = key.collection
        collectionAddress = RecordsAddress(key.collection).text
        profileAddress =
            key.collection == "users" && record != nil
            ? (try? UserID(stored: key.id)).map { ProfileAddress($0).text } : nil
        self.fields = fields
        self.referrers = referrers
        hasReferrers = !referrers.isEmpty
        json = record.map { RecordEditor.json($0) }
        let canEdit = frame.isWritable && RecordEditor.canEdit(key.collection)
        self.editor = canEdit ? record.flatMap { editor ?? RecordEditor($0) } : nil
        isTooLarge = canEdit && record != nil && self.editor == nil
        saveAction = address.address("/save")
        eventsAddress = RecordsAddress(key.collection).address("\(RecordsAddress.path)/events")
    }
}

extension RecordPage.Referrers {
    /// Finds the records that refer to a record, or returns `nil` if there are none.
    fileprivate init?(
        to key: Key, from collection: String, by field: String, in transaction: borrowing ReadTransaction
    ) throws {
        // An id is stored as text, or as a number.
        var values: [Value] = [.string(key.id)]
        if let number = Int64(key.id), "\(number)" == key.id { values.append(.integer(number)) }
        var (found, all): ([Entry], String?) = ([], nil)
        for value in values {
            let entries = try transaction.records(
                of: collection, where: field, equals: value, limit: RecordPage.maximumReferrerCount + 1)
            if entries.count > RecordPage.maximumReferrerCount {
                all = RecordsAddress(collection, where: field, equals: value).text
            }
            found += entries.prefix(RecordPage.maximumReferrerCount)
        }
        guard !found.isEmpty else { return nil }
        (self.collection, self.field) = (collection, field)
        allAddress = all
        records = found.map { entry in
            RecordField.Target(name: RecordText.shortened(entry.key.id), address: RecordAddress(entry.key).text)
        }
    }
}
