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
    /// Guesses of searchable values can be tried with the blind key. If the old key has leaked together with the store,
    /// renew the blind key, too: in one transaction, for which the writes of other programs wait.
    ///
    /// - Parameters:
    ///   - source: The source of the program's key.
    ///   - renewsBlindKey: Whether the blind key is renewed with the index entries of all searchable fields.
    ///   - progress: A closure that receives the number of records that have been sealed anew so far.
    /// - Returns: The number of records that were sealed anew.
    /// - Throws: `DataStoreError` if the key is missing or wrong, or a value is damaged. `CancellationError` if the
    ///   task is cancelled.
    @discardableResult
    public func reseal(
        with source: SealingKeySource, renewingBlindKey renewsBlindKey: Bool = false,
        progress: (_ count: Int) -> Void = { _ in }
    ) async throws -> Int {
        try await SealedStore(self, source).reseal(through: self, renewsBlindKey: renewsBlindKey, progress: progress)
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
        try await SealedStore(self, source).unseal(fields, of: collection, through: self)
    }

    /// Verifies that each sealed value of the store can be opened.
    ///
    /// - Parameter source: The source of the program's key.
    /// - Returns: A description of each value that cannot be opened.
    /// - Throws: `DataStoreError` if the key is missing or wrong, or the store cannot be read.
    public func verifySealedFields(with source: SealingKeySource) async throws -> [String] {
        try await SealedStore(self, source).verify()
    }

    /// Seals fields of a collection whose type is unknown, and returns the number of their values.
    ///
    /// A field beside which its comparable form is stored contains mail addresses.
    package func seal(
        searchable: [String], opaque: [String], of collection: String, with source: SealingKeySource, dryRun: Bool
    ) async throws -> Int {
        let declared = try (searchable.map { ($0, true) } + opaque.map { ($0, false) }).map {
            (path, isSearchable) throws -> (field: QueryField, isSearchable: Bool) in
            guard let field = QueryField(parsing: path), field.canBeSealed, path != "id" else {
                throw DataStoreError(
                    .misuse, "it is not the path of a stored field, e.g. mailAddress or address.street",
                    operation: "seal the field \(path) of \(collection)")
            }
            return (field, isSearchable)
        }
        let (count, definitions) = try await read { [declared] transaction in
            let sealed = try SealedFields(in: transaction)
            var count = 0
            var mailAddresses = declared.map {
                derives($0.field.withSuffix(FieldMapping.mailAddressSuffix), in: collection)
            }
            try transaction.forEach(in: Scan(collection)) { _, record in
                for (index, (field, _)) in declared.enumerated() where record.plainValue(at: field) != nil {
                    count += 1
                    let comparable = field.withSuffix(FieldMapping.mailAddressSuffix)
                    mailAddresses[index] = mailAddresses[index] || record.value(at: comparable) != nil
                }
                return .next
            }
            var definitions: [SealedFields.Path: SealedFieldDefinition] = [:]
            for ((field, isSearchable), isMailAddress) in zip(declared, mailAddresses) {
                let fields =
                    isMailAddress
                    ? SealedFieldDefinition.mailAddress(field, isSearchable: isSearchable)
                    : [SealedFieldDefinition(field, isSearchable: isSearchable)]
                for definition in fields {
                    let path = SealedFields.Path(collection: collection, field: definition.field.path)
                    // A program may have sealed the field with a comparable form.
                    let stored = sealed.all[path]?.definition
                    definitions[path] = stored?.isSearchable == true && isSearchable ? stored : definition
                }
            }
            // A dry run fails like the sealing itself.
            _ = try SealedStore.missing(of: definitions, in: sealed)
            return (count, definitions)
        }
        if !dryRun { try await SealedStore(self, source).seal(definitions, through: self) }
        return count
    }
}
#endif
