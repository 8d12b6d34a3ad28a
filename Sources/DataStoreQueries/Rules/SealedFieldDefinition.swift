package import DataStoreCore

/// A field of a collection whose values are sealed. A store keeps the definition, and every program enforces it.
package struct SealedFieldDefinition: Hashable, Sendable {
    /// How the values of a searchable field are compared before their blinds are.
    package enum Form: RawRepresentable, Hashable, Sendable {
        case exact
        case transformed(ValueTransform)

        package init?(rawValue: String) {
            switch rawValue {
            case "exact": self = .exact
            default:
                guard let transform = ValueTransform(rawValue: rawValue) else { return nil }
                self = .transformed(transform)
            }
        }

        package var rawValue: String {
            switch self {
            case .exact: "exact"
            case .transformed(let transform): transform.rawValue
            }
        }

        /// Returns the comparable form of a value. Values with equal forms have equal blinds.
        package func callAsFunction(_ value: Value) -> Value {
            if case .transformed(let transform) = self { transform(value) ?? value } else { value }
        }
    }

    /// The path of the field, without a transform and without array elements.
    package let field: QueryField

    /// The form of a searchable field, or `nil` if the field is opaque.
    package let form: Form?

    /// Creates a definition.
    package init(_ field: QueryField, form: Form?) {
        self.field = field
        self.form = form
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
        for index in catalogue.indexes where index.isUnique && index.field.components.isEmpty {
            let isSame = index.field == field
            guard isSame || index.field.stored == field else { continue }
            guard definition.form != nil else {
                throw DataStoreError(
                    .misuse, "it is unique, so it must be searchable",
                    operation: "seal the field \(field.path) of \(collection)")
            }
            if !isSame { try catalogue.declare(IndexDefinition(field, isUnique: true), in: backend) }
        }
        try catalogue.put(in: backend)
        forgetIndexes(of: collection)
    }
}
