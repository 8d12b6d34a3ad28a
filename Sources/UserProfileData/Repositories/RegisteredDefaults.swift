package import DataStoreCore

/// The values that reads by id return for missing values, like the registration domain of `UserDefaults`.
///
/// ```swift
/// let me = try Key(collection: "users", id: "me")
/// let defaults = try RegisteredDefaults([Entry(key: me, record: ["mailAddress": .string("info@example.com")])])
/// let users = try DataStoreRepository(store: store, mapping: UserMapping(), defaults: defaults)
/// ```
///
/// A key of `UserDefaults` corresponds to a field of a record: registered fields complete a stored record that lacks
/// them. Nested records are not merged, because a nested record is one value. Lists, queries and writes see only stored
/// values, and registered values are never written. A corrupted record remains an error.
package struct RegisteredDefaults: Sendable {
    private let records: [Key: Record]

    /// No registered values.
    package static let none = RegisteredDefaults()

    private init() { records = [:] }

    /// Creates defaults from records.
    ///
    /// - Parameter entries: The records. Entries with the same key are merged; if several have the same field, the last
    ///   value is used.
    /// - Throws: `DataStoreError` with the code `invalidRecord` if a record exceeds a limit of `Record`.
    package init(_ entries: some Sequence<Entry>) throws(DataStoreError) {
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

    /// The registered record of a key, or `nil` if there is none.
    subscript(key: Key) -> Record? { records.isEmpty ? nil : records[key] }
}

extension Record {
    /// Returns the record, completed by the fields of another one that it lacks.
    func completed(by other: Record) -> Record {
        var completed = self
        for field in other where self[field.name] == nil { completed[field.name] = field.value }
        return completed
    }
}
