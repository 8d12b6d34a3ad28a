#if Sealing
import DataStoreCore
package import DataStoreQueries
import UserProfileData

// Sealing and unsealing fields of existing records is one transaction, so that no program meets plain and sealed values
// of one field side by side, and a unique field stays unique.
extension SealedStore {
    /// A field that is being sealed or unsealed.
    private typealias Change = (path: SealedFields.Path, field: QueryField, sealer: FieldSealer)

    /// Seals the existing values of fields that are not sealed yet.
    package func seal(
        _ fields: [SealedFields.Path: SealedFieldDefinition], through records: SchemaStore
    ) async throws {
        let sealed = try await base.read { try SealedFields(in: $0) }
        if try SealedStore.missing(of: fields, in: sealed).isEmpty { return }
        let (stored, key) = try await storedKey()
        try await records.write { [self] transaction in
            var stored = try current(stored, in: transaction.reading) ?? SealingEnvelope(for: key)
            var sealed = try SealedFields(in: transaction.reading)
            let keyring = try stored.open(with: key)
            var changes: [Change] = []
            for (path, definition) in try SealedStore.missing(of: fields, in: sealed) {
                let field = SealedFields.Field(definition, id: FieldSealer.randomFieldID())
                sealed.all[path] = field
                changes.append((path, definition.field, try keyring.sealer(for: field)))
                try transaction.sealIndexes(of: definition, in: path.collection)
            }
            // The values are counted first, so that one reservation suffices.
            var keys: [(Key, [Change])] = []
            var count: Int64 = 0
            for collection in try transaction.collections() {
                let changes = changes.filter { $0.path.collection.hasSameBytes(as: collection) }
                if changes.isEmpty { continue }
                try transaction.forEach(in: Scan(collection)) { key, record in
                    let found = changes.count { record.plainValue(at: $0.field) != nil }
                    if found > 0 { keys.append((key, changes)) }
                    count += Int64(found)
                    return .next
                }
            }
            guard keyring.allow(try stored.reserve(count)) else { throw SealingNeed.keys.error }
            try stored.put(in: &transaction)
            try sealed.put(in: &transaction)
            for (key, changes) in keys {
                guard var record = try transaction.record(for: key) else { continue }
                for change in changes {
                    guard let value = record.plainValue(at: change.field) else { continue }
                    record.replaceValue(at: change.field, by: .sealed(try change.sealer.seal(value, inRecord: key.id)))
                }
                try transaction.put(record, for: key)
            }
        }
        forgetKeys()
    }

    /// Returns the fields that the store has not sealed.
    ///
    /// - Throws: `DataStoreError` with the code `misuse` if fields overlap, or one is sealed with another definition.
    static func missing(
        of fields: [SealedFields.Path: SealedFieldDefinition], in sealed: SealedFields
    ) throws(DataStoreError) -> [SealedFields.Path: SealedFieldDefinition] {
        var missing: [SealedFields.Path: SealedFieldDefinition] = [:]
        for (path, definition) in fields {
            guard let stored = sealed.all[path]?.definition else {
                for (other, field) in fields.merging(sealed.all.mapValues(\.definition), uniquingKeysWith: { $1 })
                where other.collection.hasSameBytes(as: path.collection)
                    && (definition.field.isWithin(field.field) || field.field.isWithin(definition.field))
                {
                    throw DataStoreError(
                        .misuse, "one of it and the sealed field \(other.field) contains the other; seal only one",
                        operation: "seal the field \(path.field) of \(path.collection)")
                }
                missing[path] = definition
                continue
            }
            guard stored == definition else {
                throw DataStoreError(
                    .misuse,
                    "the store has sealed it as \(stored.form ?? "opaque"), but the program declares it as "
                        + "\(definition.form ?? "opaque"); unseal it first",
                    operation: "seal the field \(path.field) of \(path.collection)")
            }
        }
        return missing
    }

    /// Opens all values of fields, and stores the plain values. Programs that declare the fields as sealed seal them
    /// again.
    ///
    /// - Throws: `DataStoreError` with the code `misuse` if a field is not sealed, or another code if a value cannot be
    ///   opened. Nothing is changed then.
    package func unseal(_ fields: [String], of collection: String, through records: SchemaStore) async throws {
        let (stored, key) = try await storedKey()
        try await records.write { [self] transaction in
            guard let stored = try current(stored, in: transaction.reading) else { throw SealedStore.neverSealed }
            var sealed = try SealedFields(in: transaction.reading)
            let keyring = try stored.open(with: key)
            var changes: [Change] = []
            for path in fields {
                let path = SealedFields.Path(collection: collection, field: path)
                guard let field = sealed.all[path] else {
                    throw DataStoreError(
                        .misuse, "it is not sealed", operation: "unseal the field \(path.field) of \(collection)")
                }
                // The comparable form of a mail address was sealed with it.
                let comparable = field.definition.field.withSuffix(FieldMapping.mailAddressSuffix)
                for path in [path, SealedFields.Path(collection: collection, field: comparable.path)] {
                    guard let field = sealed.all[path] else { continue }
                    changes.append((path, field.definition.field, try keyring.sealer(for: field)))
                    sealed.all[path] = nil
                }
            }
            try sealed.put(in: &transaction)
            for key in try transaction.keysOfSealedValues(in: collection) {
                guard var record = try transaction.record(for: key) else { continue }
                for change in changes {
                    guard case .sealed(let bytes)? = record.value(at: change.field) else { continue }
                    do throws(DataStoreError) {
                        record.replaceValue(at: change.field, by: try change.sealer.open(bytes, inRecord: key.id))
                    } catch {
                        throw error.adding(operation: "unseal the field \(change.path.field)", key: key)
                    }
                }
                try transaction.put(record, for: key)
            }
        }
        forgetKeys()
    }

    // MARK: Keys

    static var neverSealed: DataStoreError {
        DataStoreError(.missingSealingKey, "the store has no sealing key yet, because no field is sealed")
    }

    /// Returns the keys of the store, if it has any, and the program's key that opens them.
    func storedKey() async throws -> (SealingEnvelope?, SealingKey) {
        let stored = try await base.read { try SealingEnvelope(in: $0) }
        let key = try await source.key(for: stored?.request ?? SealingKeyRequest())
        _ = try stored?.open(with: key)
        return (stored, key)
    }

    /// Returns the keys of the store in a transaction. Throws if they need another key of the program meanwhile.
    func current(
        _ known: SealingEnvelope?, in transaction: borrowing ReadTransaction
    ) throws(DataStoreError) -> SealingEnvelope? {
        let stored = try SealingEnvelope(in: transaction)
        guard stored?.request.number == known?.request.number else {
            throw DataStoreError(.busy, "another program has just changed the sealing key; try again")
        }
        return stored
    }
}

extension Record {
    /// Returns the value of a field, or `nil` if the field has no value or a sealed one.
    func plainValue(at field: QueryField) -> Value? {
        guard let value = value(at: field) else { return nil }
        if case .sealed = value { return nil }
        return value
    }

    /// Replaces each sealed value of the record.
    mutating func replaceSealedValues(
        _ replace: (SealedValue) throws(DataStoreError) -> [UInt8]?
    ) throws(DataStoreError) {
        for field in self {
            if let value = try field.value.replacingSealedValues(replace) { self[field.name] = value }
        }
    }
}

extension Value {
    /// Returns the value with other sealed values in it, or `nil` if nothing changes.
    fileprivate func replacingSealedValues(
        _ replace: (SealedValue) throws(DataStoreError) -> [UInt8]?
    ) throws(DataStoreError) -> Value? {
        switch self {
        case .sealed(let bytes): return try replace(SealedValue(bytes)).map { .sealed($0) }
        case .record(var record):
            let old = record
            try record.replaceSealedValues(replace)
            return record == old ? nil : .record(record)
        case .array(var elements):
            var hasChanged = false
            for index in elements.indices {
                guard let value = try elements[index].replacingSealedValues(replace) else { continue }
                elements[index] = value
                hasChanged = true
            }
            return hasChanged ? .array(elements) : nil
        case .string, .integer, .real, .bool, .date, .data: return nil
        }
    }

    fileprivate var hasSealedValue: Bool {
        switch self {
        case .sealed: true
        case .record(let record): record.contains { $0.value.hasSealedValue }
        case .array(let elements): elements.contains(where: \.hasSealedValue)
        case .string, .integer, .real, .bool, .date, .data: false
        }
    }
}

extension RecordReading where Self: ~Copyable {
    /// Returns the keys of the records of a collection that contain a sealed value, after an id and up to a limit.
    func keysOfSealedValues(in collection: String) throws -> [Key] {
        var keys: [Key] = []
        try forEach(in: Scan(collection)) { key, record in
            if Value.record(record).hasSealedValue { keys.append(key) }
            return .next
        }
        return keys
    }
}
#endif
