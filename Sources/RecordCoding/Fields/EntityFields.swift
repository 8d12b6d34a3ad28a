public import UserProfileDomain

/// The fields of a `Codable` type that queries can use. The key path of a stored property selects its field.
///
/// ```swift
/// extension Trip: Queryable {
///     static let fields = EntityFields(of: Trip.self)
/// }
///
/// let filter: Filter<Trip> = \.status == .planned && \.place.name == "Oslo" && \.tags == "ski"
/// ```
///
/// - If a property of an optional type is `nil`, its field has no value.
/// - A property of a nested struct is a field, too: `\.place.name`.
/// - An array of values is one field with several values: a condition holds if at least one element meets it.
/// - An array of `Queryable` structs is a field that contains parts. Use it in a condition such as
///   `.any(\.legs, \.from == "Oslo")`.
///
/// The library decodes the type from placeholder values to find the coding key of each property. If an enum rejects all
/// placeholders, the library uses its first two cases instead. Such an enum must conform to `CaseIterable` and have at
/// least two cases.
///
/// The library finds no field for a computed property, and no fields at all if the type rejects all placeholders. A
/// query by a property without a field throws a `RepositoryError` that names the key path. If a type has such
/// properties, declare its fields as constants of the type `EntityField` instead.
@dynamicMemberLookup
public struct EntityFields<Entity: Sendable, Content: Sendable>: Sendable, ProbedFields {
    var probedFields: [ProbedField] { samples.fields }
    private let samples: EntitySamples<Entity>
    private let content: @Sendable (Entity) -> Content?

    private init(_ samples: EntitySamples<Entity>, _ content: @escaping @Sendable (Entity) -> Content?) {
        self.samples = samples
        self.content = content
    }

    /// Finds the fields of a type.
    ///
    /// - Parameter type: The entity type.
    public init(of type: Entity.Type) where Content == Entity, Entity: Decodable {
        self.init(EntitySamples(of: type)) { $0 }
    }

    /// The field of a property.
    public subscript<Part: FieldContent>(
        dynamicMember member: any KeyPath<Content, Part> & Sendable
    ) -> EntityField<Entity, Part> {
        EntityField(samples.name("\(member)") { content($0)?[keyPath: member].operand })
    }

    /// The field of an optional property.
    public subscript<Part: FieldContent>(
        dynamicMember member: any KeyPath<Content, Part?> & Sendable
    ) -> EntityField<Entity, Part> {
        EntityField(samples.name("\(member)") { content($0)?[keyPath: member]?.operand })
    }

    /// The field of the elements of an array.
    public subscript<Part: FieldContent>(
        dynamicMember member: any KeyPath<Content, [Part]> & Sendable
    ) -> EntityField<Entity, Part> {
        EntityField(samples.nameOfElements("\(member)") { content($0)?[keyPath: member].count })
    }

    /// The field of an array whose elements have fields of their own.
    public subscript<Part: Queryable>(
        dynamicMember member: any KeyPath<Content, [Part]> & Sendable
    ) -> EntityParts<Entity, Part> {
        EntityParts(samples.nameOfElements("\(member)") { content($0)?[keyPath: member].count })
    }

    /// The fields of a nested struct.
    public subscript<Part>(dynamicMember member: any KeyPath<Content, Part> & Sendable) -> EntityFields<Entity, Part> {
        EntityFields<Entity, Part>(samples) { [content] in content($0)?[keyPath: member] }
    }

    /// The fields of an optional nested struct.
    public subscript<Part>(dynamicMember member: any KeyPath<Content, Part?> & Sendable) -> EntityFields<Entity, Part> {
        EntityFields<Entity, Part>(samples) { [content] in content($0)?[keyPath: member] }
    }
}
