package import DataStoreCore
package import DataStoreQueries

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
    private let sealed: [MappedSealing]
    private let opened: OpenedFields

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
        var sealed: [MappedSealing] = []
        for definition in definitions {
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
            sealed.append(MappedSealing(field: field, sealing: sealing.sealing(of: definition, in: base.collection)))
        }
        self.sealed = sealed
        // A field that the mapping derives from another one is not decoded.
        opened = OpenedFields(
            sealed.filter { !base.derives($0.field) }, isOmitting: sealing.omitsSealedFields)
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

    package func record(of entity: Entity) throws -> Record {
        try seal(base.record(of: entity), replacing: nil, base.text(of: entity.id))
    }

    package func record(of entity: Entity, replacing old: Record?) throws -> Record {
        try seal(base.record(of: entity, replacing: old), replacing: old, base.text(of: entity.id))
    }

    private func seal(_ record: Record, replacing old: Record?, _ id: String) throws(DataStoreError) -> Record {
        var record = record
        for sealed in sealed {
            guard let value = record.value(at: sealed.field) else { continue }
            if case .sealed = value { continue }
            // An unchanged value keeps its bytes, so that its index entries do not change, either.
            if case .sealed(let bytes)? = old?.value(at: sealed.field),
                try sealed.unlessDamaged(bytes, id) == value
            {
                record.replaceValue(at: sealed.field, by: .sealed(bytes))
            } else {
                record.replaceValue(at: sealed.field, by: try sealed.sealing.seal(value, inRecord: id))
            }
        }
        return record
    }

    // MARK: Opening

    package func entity(of record: borrowing RecordView, id: consuming Entity.ID) throws -> Entity {
        guard let opened = try opened.record(record, base.text(of: id)) else {
            return try base.entity(of: record, id: id)
        }
        return try base.entity(of: RecordView(opened), id: id)
    }

    package func entity(of record: borrowing RecordView, idText: Span<UInt8>) throws -> Entity {
        guard let opened = try opened.record(record, String(decoding: idText)) else {
            return try base.entity(of: record, idText: idText)
        }
        return try base.entity(of: RecordView(opened), idText: idText)
    }
}

/// The sealed fields from which entities of a collection are decoded. It is not generic, because a closure in a generic
/// type looks up the type at run time.
private struct OpenedFields: Sendable {
    private let fields: [QueryField]
    private let sealings: [any FieldSealing]
    private let isOmitting: Bool

    init(_ sealed: [MappedSealing], isOmitting: Bool) {
        let sealed = sealed.sorted { $0.field.precedesInRecord($1.field) }
        fields = sealed.map(\.field)
        sealings = sealed.map(\.sealing)
        self.isOmitting = isOmitting
    }

    /// Returns the encoded record with opened fields, or `nil` if none of them is sealed.
    func record(_ record: borrowing RecordView, _ id: String) throws -> EncodedRecord? {
        if isOmitting {
            var record = try record.record()
            // A plain value is not sealed yet.
            let sealed = fields.filter { if case .sealed? = record.value(at: $0) { true } else { false } }
            if sealed.isEmpty { return nil }
            for field in sealed { record.replaceValue(at: field, by: nil) }
            return EncodedRecord(record)
        }
        return try record.encodedRecord().replacingSealedValues(of: fields) {
            try sealings[$0].open($1, inRecord: id, into: &$2)
        }
    }
}

/// The sealing of a field of a collection.
private struct MappedSealing: Sendable {
    let field: QueryField
    let sealing: any FieldSealing

    /// Opens a value, or returns `nil` if it is damaged. A save replaces it then.
    func unlessDamaged(_ bytes: [UInt8], _ id: String) throws(DataStoreError) -> Value? {
        do throws(DataStoreError) {
            var cbor: [UInt8] = []
            try sealing.open(bytes, inRecord: id, into: &cbor)
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
        guard isSearchable, !fields.contains(field),
            let transform = fields.first(where: { $0.stored == field && $0.transform != nil })?.transform
        else { return [SealedFieldDefinition(field, isSearchable: isSearchable)] }
        return [SealedFieldDefinition(field, isSearchable: true, transform: transform)]
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
        var sealed: [QueryField] = []
        for component in index.field.parts {
            if covers(component) {
                guard isCompared(component) else {
                    throw DataStoreError(
                        .misuse,
                        "the field \(field.path) is sealed\(isSearchable ? "" : " and opaque"), so no index on "
                            + "\(component.name) is possible\(isSearchable ? "" : "; declare it as searchable")",
                        operation: "declare the index \(index.name) of \(collection)")
                }
                sealed.append(field)
            } else {
                sealed.append(component)
            }
        }
        return IndexDefinition(.compound(sealed), isUnique: index.isUnique, isCovering: index.isCovering)
    }
}
