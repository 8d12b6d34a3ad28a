/// A property of an entity type that a store keeps encrypted. Its field is given as a key path or as a text.
///
/// ```swift
/// EntityType(Patient.self, in: "patients", sealing: [.searchable(\.mail), .opaque(\.diagnosis)])
/// ```
///
/// Whoever reads the store sees which values of a searchable field are equal. Declare fields with few possible values,
/// e.g. birthdays and enums, as opaque. Key paths need a type that is `Queryable`. A text is the path of a stored field
/// that leads through no array, e.g. `address.street`. A nested struct or an array is sealed as a whole.
public struct SealedProperty<Entity>: Sendable {
    /// The field of the stored records.
    package let field: QueryField
    package let isSearchable: Bool

    private init(_ field: QueryField, isSearchable: Bool) {
        self.field = field
        self.isSearchable = isSearchable
    }

    /// Returns a field that queries can compare with `==`, `!=` and `isIn`, and that can be unique.
    public static func searchable(_ path: String) -> SealedProperty {
        SealedProperty(QueryField(parsing: path) ?? .id, isSearchable: true)
    }

    /// Returns a field at the top level, whose name may have any characters.
    package static func opaque(named name: String) -> SealedProperty {
        SealedProperty(QueryField(name), isSearchable: false)
    }

    /// Returns a field of which only the presence and the size are visible.
    public static func opaque(_ path: String) -> SealedProperty {
        SealedProperty(QueryField(parsing: path) ?? .id, isSearchable: false)
    }
}

extension SealedProperty where Entity: Queryable {
    /// Returns a field that queries can compare with `==`, `!=` and `isIn`, and that can be unique.
    public static func searchable<Content>(_ field: Filter<Entity>.Field<Content>) -> SealedProperty {
        searchable(Entity.fields[keyPath: field].name)
    }

    /// Returns a field of which only the presence and the size are visible. Use it for values that no query compares,
    /// e.g. `.opaque(\.diagnosis)`.
    public static func opaque<Content>(_ field: Filter<Entity>.Field<Content>) -> SealedProperty {
        opaque(Entity.fields[keyPath: field].name)
    }
}
