/// A group of settings within a transaction. Reads include the uncommitted changes of the transaction.
///
/// To change several values of one group, use ``Settings/perform(_:)``. To change settings together with entities, use
/// a unit of work:
///
/// ```swift
/// try await storage.unitOfWork.perform { work in
///     try work.repository(of: Note.self).save(note)
///     try work.settings().set(note.id, for: .lastNote)
/// }
/// ```
///
/// If a function of this type throws a `RepositoryError`, the whole transaction fails, even if the closure catches the
/// error.
public struct UnitOfWorkSettings: HidesEntities {
    let scope: DataStoreUnitScope
    let record: SettingsRecord

    /// The value of a field: the stored value, or else the registered value, or else the field's default.
    ///
    /// Reading throws a `RepositoryError` if the stored value has another type.
    public subscript<Content>(field: Field<Content>) -> Content {
        get throws { try scope.read(record.key.collection) { try record.content(of: field, in: $0) } }
    }

    /// Stores the value of a field.
    ///
    /// - Parameters:
    ///   - value: The value to store. `nil` is stored as well, so a read returns `nil` and not the default.
    ///   - field: The field whose value is stored.
    /// - Throws: `RepositoryError` if the value cannot be encoded or stored.
    public func set<Content>(_ value: Content, for field: Field<Content>) throws {
        try change { stored in stored[field.name] = try record.value(of: value, field) }
    }

    /// Removes the stored value of a field. Reads then return the registered value or the default.
    ///
    /// - Parameter field: The field whose value is removed.
    /// - Returns: Whether the field had a stored value.
    /// - Throws: `RepositoryError` if the store cannot be written.
    @discardableResult
    public func reset<Content>(_ field: Field<Content>) throws -> Bool {
        try change { stored in
            defer { stored[field.name] = nil }
            return stored[field.name] != nil
        }
    }

    /// Changes the stored record. If the changed record has no fields, it is removed.
    func change<Result>(_ body: (inout Record) throws -> Result) throws -> Result {
        try scope.step { transaction in
            let old = try transaction.record(for: record.key)
            var new = old ?? Record()
            let result = try body(&new)
            new = try record.stored(new, replacing: old)
            if new.isEmpty {
                try transaction.remove(record.key)
            } else if new != old {
                try transaction.put(RecordView(new), for: record.key, replacing: .read(old))
            }
            return result
        }
    }
}

extension UnitOfWorkScope {
    /// Returns a group of settings whose changes are part of the unit of work.
    ///
    /// The group is in the collection `settings`, the default of ``Settings``. It has no registered values, so a read
    /// of a missing value returns the field's default.
    ///
    /// - Parameter name: The name of the group.
    /// - Returns: The settings, which are valid until the unit of work ends.
    /// - Throws: `RepositoryError` if the name is invalid, or if the unit of work does not use a data store.
    public func settings(named name: String = "main") throws -> UnitOfWorkSettings {
        try UnitOfWorkSettings(self, name)
    }
}

extension UnitOfWorkSettings {
    fileprivate init(_ scope: Any, _ name: String) throws {
        guard let scope = scope as? DataStoreUnitScope else {
            throw RepositoryError(.unexpected, message: "the transaction has no settings; use one of a data store")
        }
        let key = try scope.step { _ in try Key(collection: Settings.collection, id: name) }
        self.init(scope: scope, record: SettingsRecord(key: key, mapping: scope.mapping(of: SettingsGroup.self)))
    }
}

/// A group of settings within a snapshot, which agree with the other entities of the snapshot.
///
/// ```swift
/// let theme = try await storage.unitOfWork.snapshot { try $0.settings()[.theme] }
/// ```
public struct SnapshotSettings: HidesEntities {
    fileprivate let settings: UnitOfWorkSettings

    /// The value of a field: the stored value, or else the field's default.
    ///
    /// Reading throws a `RepositoryError` if the stored value has another type.
    public subscript<Content>(field: Field<Content>) -> Content { get throws { try settings[field] } }
}

extension SnapshotScope {
    /// Returns a group of settings in the collection `settings` of the snapshot.
    ///
    /// - Parameter name: The name of the group.
    /// - Returns: The settings, which are valid until the closure of the snapshot returns.
    /// - Throws: `RepositoryError` if the name is invalid, or if the snapshot is not one of a data store.
    public func settings(named name: String = "main") throws -> SnapshotSettings {
        SnapshotSettings(settings: try UnitOfWorkSettings(self, name))
    }
}
