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
        for index in catalogue.indexes where index.isUnique && index.field.components.isEmpty {
            let isSame = index.field == field
            guard isSame || index.field.stored == field else { continue }
            guard definition.isSearchable else {
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
