import DataStoreCore
import UserProfileData
public import UserProfileDomain

/// Settings within a transaction. They see the changes that the transaction has made so far.
///
/// ``Settings/perform(_:)`` changes several values of one `Settings`. In a unit of work, settings change together with
/// entities:
///
/// ```swift
/// try await storage.unitOfWork.perform { work in
///     try work.repository(of: Note.self).save(note)
///     try work.settings().set(note.id, for: .lastNote)
/// }
/// ```
///
/// If a function throws a `RepositoryError`, the whole transaction fails.
public struct UnitOfWorkSettings {
    let scope: DataStoreUnitScope
    let record: SettingsRecord

    /// The value of a field: the stored one, or else the registered one, or else the field's default.
    ///
    /// Reading throws a `RepositoryError` if the stored value is of another type.
    public subscript<Content>(field: Field<Content>) -> Content {
        get throws { try scope.step { transaction in try record.content(of: field, in: transaction.reading) } }
    }

    /// Stores the value of a field.
    ///
    /// - Parameters:
    ///   - value: The value. `nil` is stored as well, and is returned instead of the default.
    ///   - field: The field.
    /// - Throws: `RepositoryError` if the value cannot be encoded or stored.
    public func set<Content>(_ value: Content, for field: Field<Content>) throws {
        try change { stored in stored[field.name] = try record.value(of: value, field) }
    }

    /// Removes the stored value of a field, so that reads return the registered value or the default.
    ///
    /// - Parameter field: The field.
    /// - Returns: Whether a value was stored.
    /// - Throws: `RepositoryError` if the store cannot be written.
    @discardableResult
    public func reset<Content>(_ field: Field<Content>) throws -> Bool {
        try change { stored in
            defer { stored[field.name] = nil }
            return stored[field.name] != nil
        }
    }

    /// Changes the stored record. A record without fields is removed.
    func change<Result>(_ body: (inout Record) throws -> Result) throws -> Result {
        try scope.step { transaction in
            let old = try transaction.record(for: record.key)
            var new = old ?? Record()
            let result = try body(&new)
            if new.isEmpty {
                try transaction.remove(record.key)
            } else if new != old {
                try transaction.put(new, for: record.key, replacing: .read(old))
            }
            return result
        }
    }
}

extension UnitOfWorkScope {
    /// Returns settings, whose changes are part of the unit of work.
    ///
    /// - Parameter name: The name of the settings.
    /// - Returns: The settings, which are valid until the unit of work ends.
    /// - Throws: `RepositoryError` if the name is invalid, or if the unit of work is not one of a data store.
    public func settings(named name: String = "main") throws -> UnitOfWorkSettings {
        guard let scope = self as? DataStoreUnitScope else {
            throw RepositoryError(.unexpected, message: "the unit of work has no settings; use one of a data store")
        }
        let key = try scope.step { _ in try Key(collection: Settings.collection, id: name) }
        return UnitOfWorkSettings(scope: scope, record: SettingsRecord(key: key))
    }
}
