package import DataStoreCore

/// A field of a collection whose values are sealed. A store keeps the definition, and every program enforces it.
package struct SealedFieldDefinition: Hashable, Sendable {
    /// The path of the field, without a transform and without array elements.
    package internal(set) var field: QueryField

    /// Whether queries can compare the sealed values by their blinds. If not, the field is opaque.
    package let isSearchable: Bool

    /// The transform of searchable values before they are compared, or `nil` to compare the values themselves.
    package let transform: ValueTransform?

    /// Creates a definition.
    package init(_ field: QueryField, isSearchable: Bool, transform: ValueTransform? = nil) {
        self.field = field
        self.isSearchable = isSearchable
        self.transform = isSearchable ? transform : nil
    }

    /// The name of the form in which values are compared, or `nil` if the field is opaque.
    package var form: String? { isSearchable ? transform?.rawValue ?? "exact" : nil }
}

extension QueryField {
    /// Whether the path leads to one value of each record, which can be sealed as a whole.
    package var canBeSealed: Bool { !isID && !steps.isEmpty && isSingle && transform == nil && components.isEmpty }
}

extension WriteTransaction {
    /// Keeps a field unique that is about to be sealed. A unique index of its comparable form becomes an index of the
    /// sealed field.
    ///
    /// - Throws: `DataStoreError` with the code `misuse` if an index on an opaque field is unique.
    package mutating func sealIndexes(
        of definition: SealedFieldDefinition, in collection: String
    ) throws(DataStoreError) {
        var catalogue = try IndexCatalogue(of: collection, in: reading)
        let field = definition.field
        for index in catalogue.indexes where index.isUnique && index.field.stored == field {
            guard definition.isSearchable else {
                throw DataStoreError(
                    .misuse, "it is unique, so it must be searchable",
                    operation: "seal the field \(field.path) of \(collection)")
            }
            try catalogue.declare(IndexDefinition(field, isUnique: true), in: backend)
        }
        try catalogue.put(in: backend)
        forgetIndexes(of: collection)
    }
}

/// The sealed fields of a store, by collection and path.
package struct SealedFields: Sendable {
    /// The collection of the keys of sealed fields. It is copied and backed up like any other.
    package static let collection = "$sealing"

    /// A collection and the path of a field in it.
    package struct Path: Hashable, Sendable {
        package let collection: String
        package let field: String

        package init(collection: String, field: String) {
            self.collection = collection
            self.field = field
        }

        package static func == (left: Path, right: Path) -> Bool {
            left.collection.hasSameBytes(as: right.collection) && left.field.hasSameBytes(as: right.field)
        }
    }

    /// A definition with the permanent id of the field.
    package struct Field: Hashable, Sendable {
        package internal(set) var definition: SealedFieldDefinition
        package let id: [UInt8]

        package init(_ definition: SealedFieldDefinition, id: [UInt8]) {
            self.definition = definition
            self.id = id
        }
    }

    package var all: [Path: Field] = [:]
}

extension SealedFields {
    /// Reads the sealed fields of a store.
    package init(in transaction: borrowing ReadTransaction) throws(DataStoreError) {
        self.init(try transaction.rules())
    }

    package init(_ rules: StoreRules) {
        for (collection, fields) in rules.sealed {
            for field in fields { all[Path(collection: collection, field: field.definition.field.path)] = field }
        }
    }

    /// The fields of a collection, in the order of their paths.
    package func fields(of collection: String) -> [Field] {
        all.filter { $0.key.collection.hasSameBytes(as: collection) }.sorted { $0.key.field < $1.key.field }.map(
            \.value)
    }

    /// Makes these fields the sealed ones of a store. Running programs then read the keys again.
    package func put(in transaction: inout WriteTransaction) throws(DataStoreError) {
        try transaction.replaceRules(with: transaction.reading.rules().sealing(self))
    }
}

extension WriteTransaction {
    /// Makes running programs read the keys of sealed fields again, because the transaction has changed them.
    package mutating func renewSealingEpoch() throws(DataStoreError) { try SealedFields(in: reading).put(in: &self) }
}

extension SchemaStore {
    /// Returns the paths of the sealed fields of collections, or of all collections, e.g. `patients.diagnosis`.
    package func sealedFieldNames(of collections: [String]?) async throws -> [String] {
        let sealed = try await read { try SealedFields(in: $0) }
        return sealed.all.filter { path, field in
            // A derived field has no name that the program declares.
            !derives(field.definition.field, in: path.collection)
                && collections?.contains { $0.hasSameBytes(as: path.collection) } ?? true
        }.map { "\($0.key.collection).\($0.key.field)".escapingControlCharacters }.sorted()
    }
}

extension SealedFields.Field {
    var value: Value {
        var record: Record = ["field": .string(definition.field.name), "id": .data(id)]
        record["form"] = definition.form.map { .string($0) }
        return .record(record)
    }

    /// Parses the stored form, or returns `nil` if another version of the library wrote it.
    init?(_ value: Value) {
        guard case .record(let record) = value, case .string(let name)? = record["field"],
            let field = QueryField(parsing: name), field.canBeSealed, case .data(let id)? = record["id"]
        else { return nil }
        let form = record["form"]
        var transform: ValueTransform?
        if case .string(let text)? = form { transform = ValueTransform(rawValue: text) }
        let definition = SealedFieldDefinition(field, isSearchable: form != nil, transform: transform)
        guard definition.form.map(Value.string) == form, record.count == (form == nil ? 2 : 3) else { return nil }
        self.init(definition, id: id)
    }

    /// Throws an error if a record has a plain value of the field.
    func check(_ record: borrowing RecordView, _ key: Key) throws(DataStoreError) {
        switch try record.value(at: definition.field) {
        case .sealed?, nil: return
        default: throw DataStoreError.sealedValue(definition.field.path).adding(operation: "save a record", key: key)
        }
    }
}

extension ReadTransaction {
    /// Throws an error if a collection has sealed fields. A program that does not know of them calls it when a query
    /// finds nothing, because it has compared plain values with sealed ones.
    package func requireNoSealedFields(of collection: String) throws(DataStoreError) {
        guard let field = try rules().rules(of: collection).sealed.first else { return }
        throw .sealedValue(field.definition.field.path)
    }
}
