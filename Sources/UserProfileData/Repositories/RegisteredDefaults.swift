/// The default values that a read by id returns for missing fields, like the registration domain of `UserDefaults`.
///
/// ```swift
/// let me = try Key(collection: "users", id: "me")
/// let defaults = try RegisteredDefaults([Entry(key: me, record: ["mailAddress": .string("info@example.com")])])
/// let users = try DataStoreRepository(store: store, mapping: UserMapping(), defaults: defaults)
/// ```
///
/// A default replaces a missing field of a stored record, or a missing record. A nested record is one value, so its
/// fields are not merged. Lists, queries and writes ignore defaults, and defaults are never stored. A corrupted record
/// remains an error.
package struct RegisteredDefaults: Sendable {
    private let records: [Key: Record]

    /// Empty defaults, so that a missing field or record remains missing.
    package static let none = RegisteredDefaults()

    private init() { records = [:] }

    /// Creates defaults from records.
    ///
    /// - Parameter entries: The default records. Records with the same key are merged; the last value of a field is
    ///   used.
    /// - Throws: `DataStoreError` with the code `invalidRecord` if a record exceeds a limit of `Record`.
    package init(_ entries: [Entry]) throws(DataStoreError) {
        var records: [Key: Record] = [:]
        for entry in entries {
            let record = records[entry.key].map { entry.record.completed(by: $0) } ?? entry.record
            do {
                try record.validate()
            } catch {
                throw error.adding(operation: "register a record", key: entry.key)
            }
            records[entry.key] = record
        }
        self.records = records
    }

    /// The default record of a key, or `nil` if none is registered.
    subscript(key: Key) -> Record? { records.isEmpty ? nil : records[key] }
}

extension Record {
    /// Returns this record together with the fields that only the other record has.
    func completed(by other: Record) -> Record {
        var completed = self
        for field in other where self[field.name] == nil { completed[field.name] = field.value }
        return completed
    }
}
