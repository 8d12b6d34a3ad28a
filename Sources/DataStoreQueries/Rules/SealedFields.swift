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

    /// The collection and the path of the field in it.
    package func path(in collection: String) -> SealedPath { Key(stored: field.path, in: collection) }

    /// The name of the form in which values are compared, or `nil` if the field is opaque.
    package var form: String? { isSearchable ? transform?.rawValue ?? "exact" : nil }
}

/// A collection and the path of a field in it, which is in the place of an id.
package typealias SealedPath = Key

extension DataStoreError {
    /// Returns the error which states why a field cannot be sealed, or unsealed.
    package static func notSealable(
        _ problem: String, _ path: SealedPath, operation: String = "seal"
    ) -> DataStoreError {
        DataStoreError(.misuse, problem, operation: "\(operation) the field \(path.id) of \(path.collection)")
    }
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
                throw .notSealable("it is unique, so it must be searchable", definition.path(in: collection))
            }
            try catalogue.declare(IndexDefinition(field, isUnique: true), in: backend)
        }
        try catalogue.put(in: backend)
        forgetIndexes(of: collection)
    }
}

/// A sealed field of a store: its definition, and the permanent id of the field.
package struct SealedField: Hashable, Sendable {
    /// The collection of the keys of sealed fields. It is copied and backed up like any other.
    package static let keysCollection = "$sealing"

    package internal(set) var definition: SealedFieldDefinition
    package let id: [UInt8]

    package init(_ definition: SealedFieldDefinition, id: [UInt8]) {
        self.definition = definition
        self.id = id
    }
}

extension StoreRules {
    /// The sealed fields that this version knows, by collection and path.
    package var sealed: [SealedPath: SealedField] {
        var sealed: [SealedPath: SealedField] = [:]
        for (collection, rules) in collections {
            for field in rules.sealed { sealed[field.definition.path(in: collection)] = field }
        }
        return sealed
    }

    /// Returns these rules with other sealed fields and another epoch.
    fileprivate func sealing(_ sealed: [SealedPath: SealedField]) -> StoreRules {
        let fields = sealed.sorted { $0.key < $1.key }
        var names = names
        names.appendMissing(fields.map(\.key.collection))
        let collections = names.map { name in
            var rules = known(name) ?? .none
            rules.sealed = fields.filter { $0.key.collection.hasSameBytes(as: name) }.map(\.value)
            return (name, rules)
        }
        return StoreRules(collections, sealingEpoch: .random(in: 1...(.max)))
    }
}

extension WriteTransaction {
    /// Makes the given fields the sealed ones of the store, or keeps them if there are none. Running programs then read
    /// the keys of sealed fields again.
    package mutating func renewSealing(_ sealed: [SealedPath: SealedField]? = nil) throws(DataStoreError) {
        let rules = try reading.rules()
        try replaceRules(with: rules.sealing(sealed ?? rules.sealed))
    }
}

extension SchemaStore {
    /// Returns the paths of the sealed fields of collections, or of all collections, e.g. `patients.diagnosis`.
    package func sealedFieldNames(of collections: [String]?) async throws -> [String] {
        try await read { try $0.rules() }.sealed.filter { path, field in
            // A derived field has no name that the program declares.
            !derives(field.definition.field, in: path.collection)
                && collections?.contains { $0.hasSameBytes(as: path.collection) } ?? true
        }.map { "\($0.key.collection).\($0.key.id)".escapingControlCharacters }.sorted()
    }
}

extension SealedField {
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
