#if Sealing
import DataStoreCore
public import DataStoreQueries
import UserProfileData

extension SchemaStore {
    /// Replaces the program's key by another one. No value is sealed again, and running programs go on.
    ///
    /// Give all programs both keys first, e.g. as two lines of a key file. Remove the old one afterwards, and restored
    /// backups need it again.
    ///
    /// - Parameters:
    ///   - source: The source of the old key.
    ///   - newKey: The new key, with another number than the old one.
    /// - Throws: `DataStoreError` if the old key is missing or wrong, or the new key has the same number. Nothing is
    ///   changed then.
    public func rekey(from source: SealingKeySource, to newKey: SealingKey) async throws {
        try await SealedStore(self, source).rekey(to: newKey)
    }

    /// Renews the data key of the store: makes a new one, seals each value anew, and removes the old one. It is the
    /// answer to a leaked key, after `rekey(from:to:)`. Free pages and backups still contain the old key.
    ///
    /// Other programs can use the store meanwhile. If the process ends, another call continues.
    ///
    /// - Parameters:
    ///   - source: The source of the program's key.
    ///   - progress: A closure that receives the number of records that have been sealed anew so far.
    /// - Returns: The number of records that were sealed anew.
    /// - Throws: `DataStoreError` if the key is missing or wrong, or a value is damaged. `CancellationError` if the
    ///   task is cancelled.
    @discardableResult
    public func reseal(
        with source: SealingKeySource, progress: (_ count: Int) -> Void = { _ in }
    ) async throws -> Int {
        try await SealedStore(self, source).reseal(through: self, progress: progress)
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
        try await SealedStore(self, source).unseal(
            fields.map { SealedFields.Path(collection: collection, field: $0) }, through: self)
    }

    /// Verifies that each sealed value of the store can be opened.
    ///
    /// - Parameter source: The source of the program's key.
    /// - Returns: A description of each value that cannot be opened.
    /// - Throws: `DataStoreError` if the key is missing or wrong, or the store cannot be read.
    public func verifySealedFields(with source: SealingKeySource) async throws -> [String] {
        try await SealedStore(self, source).verify()
    }
}

extension SchemaStore {
    /// Seals fields of a collection whose type is unknown, and returns the number of their values.
    ///
    /// A field beside which its comparable form is stored contains mail addresses.
    package func seal(
        searchable: [String], opaque: [String], of collection: String, with source: SealingKeySource, dryRun: Bool
    ) async throws -> Int {
        var definitions: [SealedFieldDefinition] = []
        let paths = searchable.map { ($0, true) } + opaque.map { ($0, false) }
        for (path, isSearchable) in paths {
            guard let field = QueryField(parsing: path), field.canBeSealed, path != "id" else {
                throw DataStoreError(
                    .misuse, "it is not the path of a stored field, e.g. mailAddress or address.street",
                    operation: "seal the field \(path) of \(collection)")
            }
            definitions.append(SealedFieldDefinition(field, form: isSearchable ? .exact : nil))
        }
        let (count, forms) = try await read { [definitions] transaction in
            let sealed = try SealedFields(in: transaction)
            var (count, forms) = (0, definitions)
            for (index, definition) in definitions.enumerated() where definition.form != nil {
                let path = SealedFields.Path(collection: collection, field: definition.field.path)
                if let stored = sealed[path] { forms[index] = stored.definition }
            }
            try transaction.forEach(in: Scan(collection)) { _, record in
                for (index, definition) in definitions.enumerated() {
                    guard record.plainValue(at: definition.field) != nil else { continue }
                    count += 1
                    let comparable = definition.field.withSuffix(FieldMapping.mailAddressSuffix)
                    if definition.form != nil, record.value(at: comparable) != nil {
                        forms[index] = SealedFieldDefinition(definition.field, form: .mailAddress)
                    }
                }
                return .next
            }
            return (count, forms)
        }
        if !dryRun { try await SealedStore(self, source).seal([collection: forms], through: self) }
        return count
    }
}
#endif
