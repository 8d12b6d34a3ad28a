import DataStoreQueries
import UserProfileDomain

/// Placeholder values of a type that differ in one field each, so that the field of a property can be told.
struct EntitySamples<Entity: Sendable>: Sendable {
    private struct Variant: Sendable {
        /// The field, with the operand that it has in the variant.
        let field: ProbedField
        let entity: Entity
        /// The operand of the field in the value that the variants differ from.
        let operand: Operand?
    }

    private let sample: Entity?
    private let variants: [Variant]

    /// The fields of the type; empty if it rejects all placeholders.
    let fields: [ProbedField]

    init(of type: Entity.Type) where Entity: Decodable {
        let (sample, fields) = FieldProbe.sample(of: type)
        self.sample = sample
        self.fields = sample == nil ? [] : fields
        variants = self.fields.compactMap { original in
            // A field within the elements of an array is reached through a field of the array.
            guard original.field.isSingle || original.field.isArrayElements else { return nil }
            let (entity, fields) = FieldProbe.sample(of: type, varying: original.field)
            let varied = fields.first { $0.field == original.field }
            return entity.map { Variant(field: varied ?? original, entity: $0, operand: original.operand) }
        }
    }

    /// Returns the name of the field whose operand is always the operand of a property.
    ///
    /// - Parameters:
    ///   - property: The text of the property, which is the result if no field has its values.
    ///   - operand: Returns the operand of the property.
    /// - Returns: The name.
    func name(_ property: @autoclosure () -> String, _ operand: (Entity) -> Operand?) -> String {
        guard let sample else { return known(property()) }
        let original = operand(sample)
        let variant = variants.first { variant in
            guard variant.operand == original else { return false }
            let varied = operand(variant.entity)
            return varied != original && varied == variant.field.operand
        }
        return variant?.field.field.name ?? known(property())
    }

    /// Returns the name of the field whose elements a property has.
    ///
    /// - Parameters:
    ///   - property: The text of the property, which is the result if no field has its elements.
    ///   - count: Returns the number of the property's elements.
    /// - Returns: The name.
    func nameOfElements(_ property: @autoclosure () -> String, _ count: (Entity) -> Int?) -> String {
        let original = sample.flatMap(count)
        let variant = variants.first { $0.field.field.isArrayElements && count($0.entity) != original }
        return variant?.field.field.name ?? known(property())
    }

    /// The text of a key path without the address of a computed property.
    private func known(_ property: String) -> String {
        guard let address = property.firstIndex(of: "<") else { return property }
        return "\(property[..<address])<computed>"
    }
}
