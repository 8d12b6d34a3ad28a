/// Single values of a program, each stored under a name, like the entries of `UserDefaults`.
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
/// All values of one `Settings` are fields of one record. <doc:RecordCoding> lists the stored form of each type. If a
/// stored value does not have the type of its ``Field``, a read throws an error instead of returning the default.
///
/// Each function throws a `RepositoryError` if the store fails, and `CancellationError` if the task is cancelled. In
/// both cases nothing is changed. When a function that changes a value returns, the change is durable.
public struct Settings: Sendable, HidesRecords {
    /// The collection in which settings are stored by default.
    package static let collection = "settings"

    let store: any DataStore
    let record: SettingsRecord

    /// Creates settings in a store.
    ///
    /// - Parameters:
    ///   - store: The store that contains the values.
    ///   - name: The name of the group of values, which is the id of their record. Groups are independent of each
    ///     other.
    ///   - collection: The collection that contains the record.
    ///   - registered: Default values by field name. A read returns them for missing values, in place of the defaults
    ///     of the fields. They are never stored.
    /// - Throws: `DataStoreError` if the collection and the name do not form a valid key.
    public init(
        store: any DataStore, named name: String = "main", in collection: String = "settings",
        registering registered: Record = Record()
    ) throws(DataStoreError) {
        self.store = store
        record = SettingsRecord(key: try Key(collection: collection, id: name), registered: registered)
    }

    /// The value of a field: the stored value, or else the registered value, or else the field's default.
    ///
    /// Reading throws a `RepositoryError` if the store cannot be read, or if the stored value has another type.
    public subscript<Content>(field: Field<Content>) -> Content {
        get async throws { try await store.readConvertingErrors { try record.content(of: field, in: $0) } }
    }

    /// Returns whether a value is stored or registered for a field, even if the value equals the default.
    ///
    /// - Parameter field: The field to look up.
    /// - Returns: Whether a value is stored or registered.
    /// - Throws: `RepositoryError` if the store cannot be read.
    public func has<Content>(_ field: Field<Content>) async throws -> Bool {
        try await store.readConvertingErrors { try record.value(of: field.name, in: $0) != nil }
    }

    /// Stores the value of a field.
    ///
    /// - Parameters:
    ///   - value: The value to store. `nil` is stored as well, so a read returns `nil` and not the default.
    ///   - field: The field whose value is stored.
    /// - Throws: `RepositoryError` if the value cannot be encoded or stored.
    public func set<Content>(_ value: Content, for field: Field<Content>) async throws {
        try await perform { settings in try settings.set(value, for: field) }
    }

    /// Reads the value of a field, changes it and stores the result, all in one transaction.
    ///
    /// - Parameters:
    ///   - field: The field whose value is changed.
    ///   - change: A closure that changes the stored value, or the field's default if no value is stored. The
    ///     closure does not receive registered values. It may run more than once, so it must have no other effect.
    /// - Returns: The changed value.
    /// - Throws: The error of `change`, or `RepositoryError` if the value cannot be read, encoded or stored. In each
    ///   case nothing is changed.
    @discardableResult
    public func update<Content>(
        _ field: Field<Content>, _ change: @escaping @Sendable (inout Content) throws -> Void
    ) async throws -> Content {
        let unregistered = SettingsRecord(key: record.key, mapping: record.mapping)
        return try await Settings(store: store, record: unregistered).perform { settings in
            var content = try settings[field]
            try change(&content)
            try settings.set(content, for: field)
            return content
        }
    }

    /// Removes the stored value of a field. Reads then return the registered value or the default.
    ///
    /// - Parameter field: The field whose value is removed.
    /// - Returns: Whether the field had a stored value.
    /// - Throws: `RepositoryError` if the store cannot be written.
    @discardableResult
    public func reset<Content>(_ field: Field<Content>) async throws -> Bool {
        try await perform { settings in try settings.reset(field) }
    }

    /// Removes all stored values of the group, including values of fields that this program does not declare.
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
    /// - Parameter work: A closure that reads and changes values. It may run more than once, so it must have no other
    ///   effect. It must not use its argument after it returns.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure, or `RepositoryError` if an operation fails, even if the closure ignores the
    ///   failure. In both cases nothing is changed.
    public func perform<Result: Sendable>(
        _ work: @escaping @Sendable (UnitOfWorkSettings) throws -> Result
    ) async throws -> Result {
        try await store.writeConvertingErrors { transaction in
            try DataStoreUnitScope(store).run(in: &transaction) { scope in
                try work(UnitOfWorkSettings(scope: scope, record: record))
            }
        }
    }

    /// Creates settings whose values a mapping seals.
    package init(
        store: any DataStore, named name: String, mapping: (any RecordMapping<SettingsGroup>)?
    ) throws(DataStoreError) {
        let key = try Key(collection: Settings.collection, id: name)
        self.init(store: store, record: SettingsRecord(key: key, mapping: mapping))
    }

    private init(store: any DataStore, record: SettingsRecord) {
        self.store = store
        self.record = record
    }
}

/// The declaration of a single value that ``Settings`` stores: its name, its type and its default.
///
/// ```swift
/// extension Field<Int> {
///     static let launches = Field("launches", default: 0)
/// }
/// ```
public struct Field<Content: Codable & Sendable>: Sendable {
    /// The name under which the value is stored. It must not be empty, and no other field may have the same name.
    public let name: String

    /// The value that a read returns if no value is stored. The default itself is never stored.
    package let defaultValue: Content

    /// Creates a field with a default, e.g. `Field("launches", default: 0)`.
    ///
    /// - Parameters:
    ///   - name: The name under which the value is stored. Do not change it later.
    ///   - defaultValue: The value that a read returns if no value is stored.
    public init(_ name: String, default defaultValue: Content) {
        self.name = name
        self.defaultValue = defaultValue
    }
}

extension Field where Content: ExpressibleByNilLiteral {
    /// Creates a field whose default is `nil`.
    ///
    /// - Parameter name: The name under which the value is stored.
    public init(_ name: String) { self.init(name, default: nil) }
}
