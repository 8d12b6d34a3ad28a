/// The record of a group of settings: its key, its registered values, and the conversion of its fields.
struct SettingsRecord: Sendable {
    let key: Key
    var registered = Record()
    /// The mapping that seals values, or `nil` if no setting of the store is sealed.
    var mapping: (any RecordMapping<SettingsGroup>)?

    /// Returns the stored value of a field, or else the registered value, or `nil` if neither exists.
    func value(of name: String, in transaction: borrowing ReadTransaction) throws -> Value? {
        let stored =
            try transaction.withView(of: key) { record -> Value? in
                let value = try record.value(of: name)
                guard case .sealed? = value, let mapping else { return value }
                return try mapping.entity(of: record, id: key.id).values[name]
            } ?? nil
        return stored ?? registered[name]
    }

    /// Returns the content of a field: the stored content, or else the registered content, or else the default.
    func content<Content>(
        of field: Field<Content>, in transaction: borrowing ReadTransaction
    ) throws -> Content {
        try content(of: field, decoding: try value(of: field.name, in: transaction))
    }

    /// Decodes the content of a field from its value. If the value is `nil`, returns the default of the field.
    func content<Content>(of field: Field<Content>, decoding value: Value?) throws(DataStoreError) -> Content {
        guard let value else { return field.defaultValue }
        if case .sealed = value { throw DataStoreError.sealedValue(field.name).adding(key: key) }
        do {
            return try RecordDecoder().decode(Content.self, of: value)
        } catch {
            let error = error.within(field.name)
            throw DataStoreError(.corrupted, "\(error)", operation: "read a record", key: key, underlying: error)
        }
    }

    /// Returns the values to store. Plain values of sealed settings are sealed.
    func stored(_ values: Record, replacing old: Record?) throws -> Record {
        try mapping?.record(of: SettingsGroup(id: key.id, values: values), replacing: old) ?? values
    }

    /// Encodes the content of a field as a value.
    func value<Content>(of content: Content, _ field: Field<Content>) throws(DataStoreError) -> Value {
        guard !field.name.isEmpty else {
            throw DataStoreError(.invalidRecord, "the name of a field is empty", operation: "save a record", key: key)
        }
        do {
            return try RecordEncoder().encodeValue(content)
        } catch {
            let error = error.within(field.name)
            throw DataStoreError(.invalidRecord, "\(error)", operation: "save a record", key: key, underlying: error)
        }
    }
}

extension FieldError {
    /// Returns a copy of the error with the name of a settings field at the start of its path.
    fileprivate func within(_ field: String) -> FieldError {
        let separator = name.isEmpty || name.hasPrefix("[") ? "" : "."
        return FieldError("\(field.escapingControlCharacters)\(separator)\(name)", reason, underlying: underlying)
    }
}

/// The stored values of a group of settings. As an entity, it can have sealed fields.
package struct SettingsGroup: Identifiable, Sendable {
    package let id: String
    package var values: Record
}

/// The mapping of groups of settings, whose records are their values.
package struct SettingsMapping: RecordMapping {
    package init() {}

    package var collection: String { Settings.collection }
    package var fieldNames: [String] { [] }
    package var fields: FieldTree { .unknown }

    package func record(of group: SettingsGroup) -> Record { group.values }

    // A value that is missing in the group was reset.
    package func record(of group: SettingsGroup, replacing old: Record?) -> Record { group.values }

    package func entity(of record: borrowing RecordView, id: consuming String) throws -> SettingsGroup {
        SettingsGroup(id: id, values: try record.record())
    }
}
