#if Sealing

// Sealing and unsealing fields of existing records is one transaction, so that no program meets plain and sealed values
// of one field side by side, and a unique field stays unique.
extension SchemaStore {
    /// A field that is being sealed or unsealed.
    private typealias Change = (collection: String, field: QueryField, sealer: FieldSealer)

    /// Seals fields of a collection whose type is unknown, and returns the number of their values.
    ///
    /// A field beside which its comparable form is stored contains mail addresses.
    package func seal(
        searchable: [String], opaque: [String], of collection: String, with source: SealingKeySource, dryRun: Bool
    ) async throws -> Int {
        let declared = try (searchable.map { ($0, true) } + opaque.map { ($0, false) }).map {
            (path, isSearchable) throws -> (field: QueryField, form: QueryField, isSearchable: Bool) in
            guard let field = QueryField(parsing: path), field.canBeSealed, path != "id" else {
                throw DataStoreError.notSealable(
                    "it is not the path of a stored field, e.g. mailAddress or address.street",
                    Key(stored: path, in: collection))
            }
            return (field, field.withSuffix(FieldMapping.mailAddressSuffix), isSearchable)
        }
        let (count, definitions) = try await read { [declared] transaction in
            let sealed = try transaction.rules().sealed
            var count = 0
            var comparableForms = Set(declared.map(\.form).filter { derives($0, in: collection) })
            try transaction.forEach(in: Scan(collection)) { _, record in
                for (field, form, _) in declared {
                    guard let value = record.value(at: field) else { continue }
                    if case .sealed = value { continue }
                    count += 1
                    if record.value(at: form) != nil { comparableForms.insert(form) }
                }
                return .next
            }
            var definitions: [SealedPath: SealedFieldDefinition] = [:]
            for (field, form, isSearchable) in declared {
                let fields =
                    comparableForms.contains(form)
                    ? SealedFieldDefinition.mailAddress(field, isSearchable: isSearchable)
                    : [SealedFieldDefinition(field, isSearchable: isSearchable)]
                for definition in fields {
                    let path = definition.path(in: collection)
                    // A program may have sealed the field with a comparable form.
                    let stored = sealed[path]?.definition
                    definitions[path] = stored?.isSearchable == true && isSearchable ? stored : definition
                }
            }
            // A dry run fails like the sealing itself.
            _ = try sealed.missing(of: definitions)
            return (count, definitions)
        }
        if !dryRun { try await seal(definitions, with: source) }
        return count
    }

    /// Seals the existing values of fields that are not sealed yet.
    func seal(_ fields: [SealedPath: SealedFieldDefinition], with source: SealingKeySource) async throws {
        if try await read({ try $0.rules().sealed.missing(of: fields) }).isEmpty { return }
        let key = try await sealingKey(from: source)
        try await write { transaction in
            var stored = try SealingEnvelope.stored(in: transaction.reading, for: key) ?? SealingEnvelope(for: key)
            let keyring = try stored.open(with: key)
            var sealed = try transaction.reading.rules().sealed
            var changes: [Change] = []
            for (path, definition) in try sealed.missing(of: fields) {
                let field = SealedField(definition, id: FieldSealer.randomFieldID())
                sealed[path] = field
                changes.append((path.collection, definition.field, try keyring.sealer(for: field)))
                try transaction.sealIndexes(of: definition, in: path.collection)
            }
            try transaction.renewSealing(sealed)
            for collection in try transaction.collections() {
                let changes = changes.filter { $0.collection.hasSameBytes(as: collection) }
                try replaceValues(changes, "seal", in: &transaction) { (value, sealer, id) throws(DataStoreError) in
                    if case .sealed = value { return nil }
                    try stored.reserve(1)
                    return .sealed(try sealer.seal(value, inRecord: id, blind: sealer.blind(of: value)))
                }
            }
            try stored.put(in: &transaction)
        }
    }

    /// Opens all values of fields, and stores them without encryption from then on, in one transaction.
    ///
    /// Remove the declarations from all programs first. A program that still declares a field seals it again.
    ///
    /// - Parameters:
    ///   - fields: The paths of the fields, e.g. `mailAddress`.
    ///   - collection: The name of the collection.
    ///   - source: The source of the program's key.
    /// - Throws: `DataStoreError` with the code `misuse` if a field is not sealed, or another code if the key is
    ///   missing or wrong, or a value is damaged. Nothing is changed then.
    public func unseal(_ fields: [String], of collection: String, with source: SealingKeySource) async throws {
        let key = try await sealingKey(from: source)
        try await write { transaction in
            let keyring = try SealingEnvelope(in: transaction.reading, for: key).open(with: key)
            var sealed = try transaction.reading.rules().sealed
            var changes: [Change] = []
            for path in fields {
                let path = SealedPath(stored: path, in: collection)
                guard let field = sealed[path] else {
                    throw DataStoreError.notSealable("it is not sealed", path, operation: "unseal")
                }
                // The comparable form of a mail address was sealed with it.
                let comparable = field.definition.field.withSuffix(FieldMapping.mailAddressSuffix)
                for path in [path, SealedPath(stored: comparable.path, in: collection)] {
                    guard let field = sealed.removeValue(forKey: path) else { continue }
                    changes.append((collection, field.definition.field, try keyring.sealer(for: field)))
                }
            }
            try transaction.renewSealing(sealed)
            try replaceValues(changes, "unseal", in: &transaction) { (value, sealer, id) throws(DataStoreError) in
                if case .sealed(let bytes) = value { try sealer.open(bytes, inRecord: id) } else { nil }
            }
        }
    }

    /// Replaces the values of fields of one collection. `replacement` returns `nil` for a value that stays.
    private func replaceValues(
        _ changes: [Change], _ verb: String, in transaction: inout WriteTransaction,
        by replacement: (Value, FieldSealer, _ id: String) throws(DataStoreError) -> Value?
    ) throws {
        guard let collection = changes.first?.collection else { return }
        var keys: [Key] = []
        try transaction.forEach(in: Scan(collection)) { key, record in
            if changes.contains(where: { record.value(at: $0.field) != nil }) { keys.append(key) }
            return .next
        }
        for key in keys {
            guard let old = try transaction.record(for: key) else { continue }
            var record = old
            for (_, field, sealer) in changes {
                guard let value = old.value(at: field) else { continue }
                do throws(DataStoreError) {
                    guard let new = try replacement(value, sealer, key.id) else { continue }
                    record.replaceValue(at: field, by: new)
                } catch {
                    throw error.adding(operation: "\(verb) the field \(field.path)", key: key)
                }
            }
            if record != old { try transaction.put(record, for: key) }
        }
    }
}
#endif
