public import DataStoreCore
import UserProfileData
import UserProfileDomain

/// Single values of a program in any store, each with a name, like the entries of `UserDefaults`.
///
/// ```swift
/// extension Field<Int> {
///     static let launches = Field("launches", default: 0)
/// }
///
/// let count = try await settings[.launches]               // 0
/// try await settings.update(.launches) { $0 += 1 }        // concurrent updates never overwrite each other
/// try await settings.has(.launches)                       // true
/// try await settings.reset(.launches)                     // 0 again
/// ```
///
/// All values of one `Settings` are fields of one record, so a property list looks like one of `UserDefaults`.
/// <doc:RecordCoding> lists the form of each type. A stored value of another type than the field's is an error, and the
/// default is not returned in its place.
///
/// Each function throws a `RepositoryError`, or `CancellationError` if its task was cancelled; then nothing was
/// changed. When a function that changes a value returns, the change is durable.
public struct Settings: Sendable {
    /// The default collection of settings.
    package static let collection = "settings"

    let store: any DataStore
    let record: SettingsRecord

    /// Creates settings in a store.
    ///
    /// - Parameters:
    ///   - store: The store of the values.
    ///   - name: The name of the settings, which is the id of their record. Settings with different names are
    ///     independent.
    ///   - collection: The collection of the record.
    ///   - registered: The values, by the names of their fields, that are returned for missing values in place of the
    ///     fields' defaults. They are never stored.
    /// - Throws: `DataStoreError` if the collection and the name do not form a valid key.
    public init(
        store: any DataStore, named name: String = "main", in collection: String = "settings",
        registering registered: Record = Record()
    ) throws(DataStoreError) {
        self.store = store
        record = SettingsRecord(key: try Key(collection: collection, id: name), registered: registered)
    }

    /// The value of a field: the stored one, or else the registered one, or else the field's default.
    ///
    /// Reading throws a `RepositoryError` if the store cannot be read, or if the stored value is of another type.
    public subscript<Content>(field: Field<Content>) -> Content {
        get async throws { try await read { transaction in try record.content(of: field, in: transaction) } }
    }

    /// Returns whether a value is stored or registered for a field, even if it equals the default.
    ///
    /// - Parameter field: The field.
    /// - Returns: Whether a value exists.
    /// - Throws: `RepositoryError` if the store cannot be read.
    public func has<Content>(_ field: Field<Content>) async throws -> Bool {
        try await read { transaction in try record.value(of: field.name, in: transaction) != nil }
    }

    /// Stores the value of a field.
    ///
    /// - Parameters:
    ///   - value: The value. `nil` is stored as well, and is returned instead of the default.
    ///   - field: The field.
    /// - Throws: `RepositoryError` if the value cannot be encoded or stored.
    public func set<Content>(_ value: Content, for field: Field<Content>) async throws {
        try await perform { settings in try settings.set(value, for: field) }
    }

    /// Reads the value of a field, changes it and stores the result in one transaction.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - change: A closure that changes the stored value, or the field's default, but not the registered value. It
    ///     may run more than once, so it must have no other effect.
    /// - Returns: The changed value.
    /// - Throws: The error that `change` throws, or `RepositoryError` if the value cannot be read, encoded or stored.
    ///   Then nothing is changed.
    @discardableResult
    public func update<Content>(
        _ field: Field<Content>, _ change: @escaping @Sendable (inout Content) throws -> Void
    ) async throws -> Content {
        try await Settings(store: store, record: SettingsRecord(key: record.key)).perform { settings in
            var content = try settings[field]
            try change(&content)
            try settings.set(content, for: field)
            return content
        }
    }

    /// Removes the stored value of a field, so that reads return the registered value or the default.
    ///
    /// - Parameter field: The field.
    /// - Returns: Whether a value was stored.
    /// - Throws: `RepositoryError` if the store cannot be written.
    @discardableResult
    public func reset<Content>(_ field: Field<Content>) async throws -> Bool {
        try await perform { settings in try settings.reset(field) }
    }

    /// Removes the stored values of all fields, including fields that this program does not declare.
    ///
    /// - Throws: `RepositoryError` if the store cannot be written.
    public func resetAll() async throws { try await perform { settings in try settings.change { $0 = Record() } } }

    /// Reads and changes several values in one transaction: either all changes are applied, or none.
    ///
    /// ```swift
    /// try await settings.perform { settings in
    ///     try settings.set(.dark, for: .theme)
    ///     try settings.set(try settings[.launches] + 1, for: .launches)
    /// }
    /// ```
    ///
    /// - Parameter work: Reads and changes values. It may run more than once, so it must have no other effect. It must
    ///   not use its argument after it returns.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure, unchanged, or `RepositoryError`, also if the closure ignored the failure of
    ///   an operation. Then nothing is changed.
    public func perform<Result: Sendable>(
        _ work: @escaping @Sendable (UnitOfWorkSettings) throws -> Result
    ) async throws -> Result {
        do {
            return try await store.write { transaction in
                try DataStoreUnitScope([:]).run(in: &transaction) { scope in
                    try work(UnitOfWorkSettings(scope: scope, record: record))
                }
            }
        } catch let error as ChangeFailure {
            // The error of the caller's closure is thrown unchanged.
            throw error.cause
        } catch {
            throw RepositoryError.mapped(error)
        }
    }

    private init(store: any DataStore, record: SettingsRecord) {
        self.store = store
        self.record = record
    }

    private func read<Result: Sendable>(
        _ body: @Sendable (borrowing ReadTransaction) throws -> Result
    ) async throws -> Result {
        do {
            return try await store.read(body)
        } catch {
            throw RepositoryError.mapped(error)
        }
    }
}
