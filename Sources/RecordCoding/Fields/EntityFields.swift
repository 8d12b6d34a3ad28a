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
/// The field of a property is its coding key: the case of `CodingKeys` that has the name of the property. Opening a
/// store fails if the field of a stored property cannot be proved, e.g. because the property has a wrapper, or because
/// coding keys rename it. The message contains the name to declare:
///
/// ```swift
/// static let fields = EntityFields(of: Trip.self, named: [\.volume: "volume"])
/// ```
///
/// A computed property has no field. A query that uses one throws a `RepositoryError` that names the key path, unless
/// the declaration names the field whose values the property returns.
@dynamicMemberLookup
public struct EntityFields<Entity: Sendable, Content: Sendable>: Sendable, CodedFields {
    let namedProperties: [NamedProperty]
    /// The field of the content, or `nil` for the entity itself.
    private let field: QueryField?
    /// The text of the key path whose field is unknown, or `nil` if the field is known.
    private let unknown: String?

    private init(_ field: QueryField?, unknown: String? = nil, named: [NamedProperty] = []) {
        self.field = field
        self.unknown = unknown
        namedProperties = named
    }

    /// Creates the fields of a type.
    ///
    /// - Parameters:
    ///   - type: The entity type.
    ///   - named: Fields by property, for properties whose fields cannot be proved. A field is a path of coding keys,
    ///     e.g. `"place.name"`. It is `nil` if the property is not stored.
    public init(
        of type: Entity.Type, named: KeyValuePairs<any PartialKeyPath<Entity> & Sendable, String?> = [:]
    ) where Content == Entity, Entity: Decodable {
        self.init(nil, named: named.map { NamedProperty(keyPath: $0.key, path: $0.value) })
    }

    /// The field of a property.
    public subscript<Part: FieldContent>(
        dynamicMember member: any KeyPath<Content, Part> & Sendable
    ) -> EntityField<Entity, Part> {
        EntityField(name(of: member))
    }

    /// The field of an optional property.
    public subscript<Part: FieldContent>(
        dynamicMember member: any KeyPath<Content, Part?> & Sendable
    ) -> EntityField<Entity, Part> {
        EntityField(name(of: member))
    }

    /// The field of a property whose type is optional twice, e.g. because it is an optional of a generic type. It has a
    /// value if the outer optional has one.
    public subscript<Part: FieldContent>(
        dynamicMember member: any KeyPath<Content, Part??> & Sendable
    ) -> EntityField<Entity, Part> {
        EntityField(name(of: member))
    }

    /// The field of the elements of an array.
    public subscript<Part: FieldContent>(
        dynamicMember member: any KeyPath<Content, [Part]> & Sendable
    ) -> EntityField<Entity, Part> {
        EntityField(name(of: member, isArray: true))
    }

    /// The field of an array whose elements have fields of their own.
    public subscript<Part: Queryable>(
        dynamicMember member: any KeyPath<Content, [Part]> & Sendable
    ) -> EntityParts<Entity, Part> {
        EntityParts(name(of: member, isArray: true))
    }

    /// The fields of a nested struct.
    public subscript<Part>(dynamicMember member: any KeyPath<Content, Part> & Sendable) -> EntityFields<Entity, Part> {
        nested(member)
    }

    /// The fields of an optional nested struct.
    public subscript<Part>(dynamicMember member: any KeyPath<Content, Part?> & Sendable) -> EntityFields<Entity, Part> {
        nested(member)
    }

    /// Returns the name of a property's field, or the text of the key path if the field is unknown.
    private func name(of member: AnyKeyPath, isArray: Bool = false) -> String {
        guard let part = part(member) else { return unknown ?? StoredProperties.text(of: member) }
        return isArray ? part.elements.name : part.name
    }

    private func nested<Part>(_ member: AnyKeyPath) -> EntityFields<Entity, Part> {
        let part = part(member)
        guard part == nil else { return EntityFields<Entity, Part>(part) }
        return EntityFields<Entity, Part>(nil, unknown: unknown ?? StoredProperties.text(of: member))
    }

    private func part(_ member: AnyKeyPath) -> QueryField? {
        guard unknown == nil, let part = StoredProperties.of(Content.self).field(of: member) else { return nil }
        return field?.part(part) ?? part
    }
}

extension StoredProperties {
    /// Returns the text of a key path, with `<computed>` in place of the address of a computed property.
    static func text(of member: AnyKeyPath) -> String {
        let text = "\(member)"
        return text.firstIndex(of: "<").map { "\(text[..<$0])<computed>" } ?? text
    }
}
