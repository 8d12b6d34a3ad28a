import DataStoreQueries
import UserProfileDomain

/// Instances of a type that are decoded from placeholders: a sample, and variants that differ from the sample in one
/// field each. If the value of a property differs between the sample and a variant, the variant's field stores this
/// property.
struct EntitySamples<Entity: Sendable>: Sendable {
    private struct Variant: Sendable {
        /// The field in which the variant differs from the sample, with its operand in the variant.
        let field: ProbedField
        let entity: Entity
        /// The operand of the field in the sample, or `nil` if the field's type is not a `FieldContent`.
        let operand: Operand?
    }

    private let sample: Entity?
    private let variants: [Variant]

    /// The fields of the type. The array is empty if the type rejects all placeholders.
    let fields: [ProbedField]

    init(of type: Entity.Type) where Entity: Decodable {
        let (sample, fields) = FieldProbe.sample(of: type)
        self.sample = sample
        self.fields = sample == nil ? [] : fields
        variants = self.fields.compactMap { original in
            // Queries refer to a field within array elements through the field of the array, so it needs no variant.
            guard original.field.isSingle || original.field.isArrayElements else { return nil }
            let (entity, fields) = FieldProbe.sample(of: type, varying: original.field)
            let varied = fields.first { $0.field == original.field }
            return entity.map { Variant(field: varied ?? original, entity: $0, operand: original.operand) }
        }
    }

    /// Returns the name of the field that stores a property. A field stores the property if the two have equal operands
    /// in the sample and in the field's variant, and the operands in the sample differ from those in the variant.
    ///
    /// - Parameters:
    ///   - property: The key path of the property as text. It is the result if no such field is found.
    ///   - operand: A closure that returns the operand of the property in an instance.
    /// - Returns: The name of the field, or the text of the key path.
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

    /// Returns the name of the array field that stores a property. Each variant is the sample with one changed field.
    /// The search returns the field in whose variant the property has a different number of elements than in the
    /// sample.
    ///
    /// - Parameters:
    ///   - property: The key path of the property as text. It is the result if no such field is found.
    ///   - count: A closure that returns the number of the property's elements in an instance.
    /// - Returns: The name of the field, or the text of the key path.
    func nameOfElements(_ property: @autoclosure () -> String, _ count: (Entity) -> Int?) -> String {
        let original = sample.flatMap(count)
        let variant = variants.first { $0.field.field.isArrayElements && count($0.entity) != original }
        return variant?.field.field.name ?? known(property())
    }

    /// Returns the text of a key path, with `<computed>` in place of the address of a computed property.
    private func known(_ property: String) -> String {
        guard let address = property.firstIndex(of: "<") else { return property }
        return "\(property[..<address])<computed>"
    }
}
