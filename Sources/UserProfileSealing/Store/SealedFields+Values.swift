#if Sealing

extension [SealedPath: SealedField] {
    /// Returns the declared fields that the store has not sealed.
    ///
    /// - Throws: `DataStoreError` with the code `misuse` if fields overlap, or one is sealed with another definition.
    func missing(
        of declared: [SealedPath: SealedFieldDefinition]
    ) throws(DataStoreError) -> [SealedPath: SealedFieldDefinition] {
        let definitions = declared.merging(mapValues(\.definition)) { $1 }
        for (path, definition) in declared {
            if let stored = definitions[path], stored != definition {
                throw .notSealable(
                    "the store has sealed it as \(stored.form ?? "opaque"), but the program declares it as "
                        + "\(definition.form ?? "opaque"); unseal it first", path)
            }
            let field = definition.field
            for (other, definition) in definitions
            where self[path] == nil && other.collection.hasSameBytes(as: path.collection)
                && (field.isWithin(definition.field) || definition.field.isWithin(field))
            {
                throw .notSealable("one of it and the sealed field \(other.id) contains the other; seal only one", path)
            }
        }
        return declared.filter { self[$0.key] == nil }
    }
}

extension Record {
    /// Returns the record with other bytes of each sealed value in it.
    func replacingSealedValues(
        _ replace: (SealedValue) throws(DataStoreError) -> [UInt8]
    ) throws(DataStoreError) -> Record {
        Record(
            ordered: try map { (field) throws(DataStoreError) in
                Field(name: field.name, value: try field.value.replacingSealedValues(replace))
            })
    }
}

extension Value {
    fileprivate func replacingSealedValues(
        _ replace: (SealedValue) throws(DataStoreError) -> [UInt8]
    ) throws(DataStoreError) -> Value {
        switch self {
        case .sealed(let bytes): .sealed(try replace(SealedValue(bytes)))
        case .record(let record): .record(try record.replacingSealedValues(replace))
        case .array(let elements):
            .array(
                try elements.map { (element) throws(DataStoreError) in try element.replacingSealedValues(replace) })
        case .string, .integer, .real, .bool, .date, .data: self
        }
    }
}
#endif
