/// A mapping whose queries can need the keys of a store.
protocol SealsFields {}

/// A mapping that seals fields of the records that another mapping creates, and opens them before that mapping reads
/// them. Collections without sealed fields do not have it, and pay nothing.
package struct SealingMapping<Base: RecordMapping>: RecordMapping, SealsFields {
    package typealias Entity = Base.Entity

    package let base: Base
    package let queryFields: [String: FieldMapping]
    package let indexes: [IndexDefinition]
    package let integerIDField: QueryField?
    private let sealed: [(field: QueryField, sealing: any FieldSealing)]
    /// The sealed fields from which entities are decoded, in the order of a record, and their sealings.
    private let openedFields: [QueryField]
    private let openedSealings: [any FieldSealing]
    private let isOmitting: Bool

    package var collection: String { base.collection }
    package var fieldNames: [String] { base.fieldNames }
    package var fields: FieldTree { base.fields }
    package var rules: CollectionRules { base.rules }
    package var requiredFields: Set<String> { base.requiredFields }

    /// Creates a mapping.
    ///
    /// - Parameters:
    ///   - base: The mapping of the entities.
    ///   - definitions: The sealed fields.
    ///   - sealing: The sealing of the store.
    ///   - keepsIndexes: Whether an index that sealed values cannot have is an error. If `false`, it is omitted.
    /// - Throws: `DataStoreError` with the code `misuse` if a field cannot be sealed, or an index not be kept.
    package init(
        _ base: Base, _ definitions: [SealedFieldDefinition], _ sealing: any StoreSealing, keepsIndexes: Bool = true
    ) throws(DataStoreError) {
        self.base = base
        integerIDField = base.integerIDField
        let sealed = try definitions.map { (definition) throws(DataStoreError) in
            let field = definition.field
            guard field.canBeSealed, base.hasSealableField(field), field.stored != base.integerIDField,
                field.path != "id"
            else {
                throw .notSealable(
                    "it is not a stored field that can be sealed; see the guide SealedFields",
                    Key(stored: field.name, in: base.collection))
            }
            // Each program must be able to read the fields of rules.
            if let rule = base.rules.fields.first(where: definition.covers) {
                throw .notSealable(
                    "\(rule.path) is a reference, the expiry or the owner, which must not be sealed",
                    definition.path(in: base.collection))
            }
            return (field: field, sealing: sealing.sealing(of: definition, in: base.collection))
        }
        self.sealed = sealed
        // A field that the mapping derives from another one is not decoded.
        let opened = sealed.filter { !base.derives($0.field) }.sorted { $0.field.precedesInRecord($1.field) }
        (openedFields, openedSealings) = (opened.map(\.field), opened.map(\.sealing))
        isOmitting = sealing.omitsSealedFields
        queryFields = base.queryFields.mapValues { mapping in
            zip(definitions, sealed).reduce(mapping) { $0.sealed($1.0, by: $1.1.sealing) }
        }
        var indexes: [IndexDefinition] = []
        for index in base.indexes {
            do throws(DataStoreError) {
                var sealedIndex = index
                for definition in definitions { sealedIndex = try definition.sealed(sealedIndex, of: base.collection) }
                indexes.append(sealedIndex)
            } catch  where !keepsIndexes && !index.isUnique {
                continue
            }
        }
        self.indexes = indexes
    }

    package func text(of id: Entity.ID) throws -> String { try base.text(of: id) }

    package func id(of text: String) throws -> Entity.ID { try base.id(of: text) }

    // MARK: Sealing

    package func record(of entity: Entity) throws -> Record { try record(of: entity, replacing: nil) }

    package func record(of entity: Entity, replacing old: Record?) throws -> Record {
        var record = try base.record(of: entity, replacing: old)
        let id = try base.text(of: entity.id)
        for (field, sealing) in sealed {
            guard let value = record.value(at: field) else { continue }
            if case .sealed = value { continue }
            // An unchanged value keeps its bytes, so that its index entries do not change, either.
            if case .sealed(let bytes)? = old?.value(at: field), try sealing.value(in: bytes, inRecord: id) == value {
                record.replaceValue(at: field, by: .sealed(bytes))
            } else {
                record.replaceValue(at: field, by: try sealing.seal(value, inRecord: id))
            }
        }
        return record
    }

    // MARK: Opening

    package func entity(of record: borrowing RecordView, id: consuming Entity.ID) throws -> Entity {
        try base.entity(of: opened(record, base.text(of: id)), id: id)
    }

    package func entity(of record: borrowing RecordView, idText: Span<UInt8>) throws -> Entity {
        try base.entity(of: opened(record, String(decoding: idText)), idText: idText)
    }

    /// Returns the record with opened fields, or without its sealed fields.
    private func opened(_ record: borrowing RecordView, _ id: String) throws -> RecordView {
        guard isOmitting else {
            let encoded = try record.encodedRecord()
            let opened = try encoded.replacingSealedValues(of: openedFields) {
                try openedSealings[$0].open($1, inRecord: id, into: &$2)
            }
            return RecordView(opened ?? encoded)
        }
        var record = try record.record()
        for field in openedFields {
            // A plain value is not sealed yet.
            if case .sealed? = record.value(at: field) { record.replaceValue(at: field, by: nil) }
        }
        return RecordView(record)
    }
}

extension FieldSealing {
    /// Returns the value in the bytes of a sealed value, or `nil` if they are damaged. A save replaces them then.
    fileprivate func value(in bytes: [UInt8], inRecord id: String) throws(DataStoreError) -> Value? {
        do throws(DataStoreError) {
            var cbor: [UInt8] = []
            try open(bytes, inRecord: id, into: &cbor)
            return try Value(cbor: cbor.span)
        } catch  where error.code == .corrupted {
            return nil
        }
    }
}

extension RecordMapping {
    /// Returns whether the mapping derives a field from another one.
    fileprivate func derives(_ field: QueryField) -> Bool {
        FieldMapping.comparableMailAddresses(in: queryFields)?.contains(field) == true
    }

    /// Returns whether the records of the mapping have a field.
    package func hasSealableField(_ field: QueryField) -> Bool { fields.hasField(field) || derives(field) }

    /// Returns the definitions of a field that the program declares as sealed. Of a mail address, the comparable form
    /// is sealed, too, and only this form is searchable.
    package func sealedFields(_ field: QueryField, isSearchable: Bool) -> [SealedFieldDefinition] {
        if derives(field.withSuffix(FieldMapping.mailAddressSuffix)) {
            return SealedFieldDefinition.mailAddress(field, isSearchable: isSearchable)
        }
        let fields = queryFields.values.map(\.field)
        let computed = fields.first { isSearchable && $0.stored == field && $0.transform != nil }
        let transform = fields.contains(field) ? nil : computed?.transform
        return [SealedFieldDefinition(field, isSearchable: isSearchable, transform: transform)]
    }

    /// Returns this mapping with sealed fields, or this mapping if `definitions` is empty.
    package func sealing(
        _ definitions: [SealedFieldDefinition], _ sealing: any StoreSealing, keepsIndexes: Bool = true
    ) throws(DataStoreError) -> any RecordMapping<Entity> {
        definitions.isEmpty
            ? self : try SealingMapping(self, definitions, sealing, keepsIndexes: keepsIndexes)
    }
}

extension SealedFieldDefinition {
    /// Returns whether the values of a field are sealed, or computed from sealed values.
    func covers(_ other: QueryField) -> Bool { other.stored == field || other.isWithin(field) }

    /// Returns whether the blinds of the sealed values can be compared instead of the values of a field.
    func isCompared(_ other: QueryField) -> Bool {
        isSearchable && other == transform.map { field.transformed(by: $0) } ?? field
    }

    /// Returns the definitions of a mail address and its comparable form.
    package static func mailAddress(_ field: QueryField, isSearchable: Bool) -> [SealedFieldDefinition] {
        [
            SealedFieldDefinition(field, isSearchable: false),
            SealedFieldDefinition(
                field.withSuffix(FieldMapping.mailAddressSuffix), isSearchable: isSearchable),
        ]
    }

    /// Returns the index that answers the same queries of the sealed field as an index of its plain values.
    ///
    /// - Throws: `DataStoreError` with the code `misuse` if no index can.
    fileprivate func sealed(
        _ index: IndexDefinition, of collection: String
    ) throws(DataStoreError) -> IndexDefinition {
        let sealed = try index.field.parts.map { (component) throws(DataStoreError) in
            guard covers(component) else { return component }
            guard isCompared(component) else {
                throw DataStoreError(
                    .misuse,
                    "the field \(field.path) is sealed\(isSearchable ? "" : " and opaque"), so no index on "
                        + "\(component.name) is possible\(isSearchable ? "" : "; declare it as searchable")",
                    operation: "declare the index \(index.name) of \(collection)")
            }
            return field
        }
        return IndexDefinition(.compound(sealed), isUnique: index.isUnique, isCovering: index.isCovering)
    }
}
