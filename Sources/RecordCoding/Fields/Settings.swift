public import DataStoreCore
import UserProfileData
import UserProfileDomain

/// Single values of a program in any store, each with a name, like the entries of `UserDefaults`.
///
/// ```swift
/// let launches = Field("launches", default: 0)
///
/// let count = try await settings[launches]               // 0
/// try await settings.update(launches) { $0 += 1 }        // concurrent updates never overwrite each other
/// try await settings.has(launches)                       // true
/// try await settings.reset(launches)                     // 0 again
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

    private let store: any DataStore
    private let key: Key
    private let registered: Record

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
        self.registered = registered
        key = try Key(collection: collection, id: name)
    }

    /// The value of a field: the stored one, or else the registered one, or else the field's default.
    ///
    /// Reading throws a `RepositoryError` if the store cannot be read, or if the stored value is of another type.
    public subscript<Content>(field: Field<Content>) -> Content {
        get async throws {
            try await read(field) { value in try value.map { try decoded($0, field) } ?? field.defaultValue }
        }
    }

    /// Returns whether a value is stored or registered for a field, even if it equals the default.
    ///
    /// - Parameter field: The field.
    /// - Returns: Whether a value exists.
    /// - Throws: `RepositoryError` if the store cannot be read.
    public func has<Content>(_ field: Field<Content>) async throws -> Bool {
        try await read(field) { value in value != nil }
    }

    /// Stores the value of a field.
    ///
    /// - Parameters:
    ///   - value: The value. `nil` is stored as well, and is returned instead of the default.
    ///   - field: The field.
    /// - Throws: `RepositoryError` if the value cannot be encoded or stored.
    public func set<Content>(_ value: Content, for field: Field<Content>) async throws {
        try await change { record in record[field.name] = try encoded(value, field) }
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
        try await self.change { record in
            var content = try record[field.name].map { try decoded($0, field) } ?? field.defaultValue
            do {
                try change(&content)
            } catch {
                throw ChangeFailure(cause: error)
            }
            record[field.name] = try encoded(content, field)
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
        try await change { record in
            let wasStored = record[field.name] != nil
            record[field.name] = nil
            return wasStored
        }
    }

    /// Removes the stored values of all fields, including fields that this program does not declare.
    ///
    /// - Throws: `RepositoryError` if the store cannot be written.
    public func resetAll() async throws {
        try await change { record in record = Record() }
    }

    private func read<Content, Result: Sendable>(
        _ field: Field<Content>, _ body: @Sendable (Value?) throws -> Result
    ) async throws -> Result {
        do {
            return try await store.read { transaction in
                let stored = try transaction.withView(of: key) { record in try record.value(of: field.name) } ?? nil
                return try body(stored ?? registered[field.name])
            }
        } catch {
            throw RepositoryError.mapped(error)
        }
    }

    private func change<Result: Sendable>(
        _ body: @escaping @Sendable (inout Record) throws -> Result
    ) async throws -> Result {
        do {
            return try await store.write { transaction in
                let old = try transaction.record(for: key) ?? Record()
                var record = old
                let result = try body(&record)
                if record.isEmpty {
                    try transaction.remove(key)
                } else if record != old {
                    try transaction.put(record, for: key)
                }
                return result
            }
        } catch let error as ChangeFailure {
            // The error of the caller's closure is thrown unchanged.
            throw error.cause
        } catch {
            throw RepositoryError.mapped(error)
        }
    }

    private func decoded<Content>(_ value: Value, _ field: Field<Content>) throws(DataStoreError) -> Content {
        do {
            return try RecordDecoder().decode(Content.self, of: value)
        } catch {
            let error = error.within(field.name)
            throw DataStoreError(
                .corrupted, "\(error)", operation: "read a record", key: key, underlying: error)
        }
    }

    private func encoded<Content>(_ content: Content, _ field: Field<Content>) throws(DataStoreError) -> Value {
        guard !field.name.isEmpty else {
            throw DataStoreError(.invalidRecord, "the name of a field is empty", operation: "save a record", key: key)
        }
        do {
            return try RecordEncoder().encodeValue(content)
        } catch {
            let error = error.within(field.name)
            throw DataStoreError(
                .invalidRecord, "\(error)", operation: "save a record", key: key, underlying: error)
        }
    }
}

extension FieldError {
    /// Returns the same error with the name of the settings' field as a prefix of the path.
    fileprivate func within(_ field: String) -> FieldError {
        let separator = name.isEmpty || name.hasPrefix("[") ? "" : "."
        return FieldError("\(field.escapingControlCharacters)\(separator)\(name)", reason, underlying: underlying)
    }
}
