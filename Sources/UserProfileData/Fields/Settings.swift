public import DataStoreCore
import UserProfileDomain

/// Single values of a program in any store, each under a name, as `UserDefaults` keeps them.
///
/// ```swift
/// let launches = Field("launches", default: 0)
///
/// let count = try await settings[launches]               // 0
/// try await settings.update(launches) { $0 += 1 }        // no update is lost, whoever else counts
/// try await settings.has(launches)                       // true
/// try await settings.reset(launches)                     // 0 again
/// ```
///
/// All values of one `Settings` are fields of one record, by their names, so a property list reads like one of `UserDefaults`.
/// ``RecordEncoder`` says how each type is kept. What is kept and is not of the field's type is an error, never the default.
/// Each function fails with a `RepositoryError`, or with `CancellationError` where its task was cancelled; then nothing was
/// changed. What a change returned from is durable.
public struct Settings: Sendable {
    /// The collection that settings are kept in unless said otherwise.
    public static let collection = "settings"

    private let store: any DataStore
    private let key: Key
    private let registered: Record

    /// Keeps values in a store.
    ///
    /// - Parameters:
    ///   - store: where they are kept.
    ///   - name: the name of these settings, which is the id of their record; others have names of their own.
    ///   - collection: the collection of the record.
    ///   - registered: the values, by the names of their fields, that are returned for what is not stored, in place of the
    ///     fields' defaults.
    /// - Throws: `DataStoreError` where name and collection are no key.
    public init(
        store: any DataStore, named name: String = "main", in collection: String = Settings.collection,
        registering registered: Record = Record()
    ) throws(DataStoreError) {
        self.store = store
        self.registered = registered
        key = try Key(collection: collection, id: name)
    }

    /// The value of a field.
    ///
    /// - Parameter field: which one.
    /// - Returns: the stored value, else the registered one, else the field's default.
    /// - Throws: `RepositoryError`, also where what is kept is of another type.
    public func value<Content>(of field: Field<Content>) async throws -> Content {
        try await kept(field) { value in try value.map { try decoded($0, field) } ?? field.defaultValue }
    }

    /// The value of a field.
    public subscript<Content>(field: Field<Content>) -> Content {
        get async throws { try await value(of: field) }
    }

    /// Whether a value is kept, or registered, for a field: also one that equals the default.
    ///
    /// - Parameter field: which one.
    /// - Returns: whether there is one.
    /// - Throws: `RepositoryError`.
    public func has<Content>(_ field: Field<Content>) async throws -> Bool {
        try await kept(field) { value in value != nil }
    }

    /// Keeps a value.
    ///
    /// - Parameters:
    ///   - value: the value. Nil is a value, too: it is kept, and read in place of the default.
    ///   - field: the field that it is kept for.
    /// - Throws: `RepositoryError`.
    public func set<Content>(_ value: Content, for field: Field<Content>) async throws {
        try await change { record in record[field.name] = try encoded(value, field) }
    }

    /// Reads the value of a field, changes it and keeps the result, all at once: no other change comes in between.
    ///
    /// - Parameters:
    ///   - field: which one.
    ///   - change: is given the stored value or the field's default, not the registered one. It may run more than once, so it must have no other effect.
    /// - Returns: the changed value.
    /// - Throws: also what `change` threw, as it is; then nothing is changed.
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

    /// Removes what is kept for a field: it has its default again.
    ///
    /// - Parameter field: which one.
    /// - Returns: whether something was kept.
    /// - Throws: `RepositoryError`.
    @discardableResult
    public func reset<Content>(_ field: Field<Content>) async throws -> Bool {
        try await change { record in
            let isKept = record[field.name] != nil
            record[field.name] = nil
            return isKept
        }
    }

    /// Removes what is kept for all fields of these settings, also for those that this program does not know.
    ///
    /// - Throws: `RepositoryError`.
    public func resetAll() async throws {
        try await change { record in record = Record() }
    }

    private func kept<Content, Result: Sendable>(
        _ field: Field<Content>, _ body: (Value?) throws -> Result
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
            // What the caller's closure threw goes to the caller as it is.
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
            throw DataStoreError(.invalidRecord, "a field needs a name", operation: "save a record", key: key)
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
    /// The same error with the field that the value is kept under.
    fileprivate func within(_ field: String) -> FieldError {
        let separator = name.isEmpty || name.hasPrefix("[") ? "" : "."
        return FieldError("\(field.escapingControlCharacters)\(separator)\(name)", reason, underlying: underlying)
    }
}
