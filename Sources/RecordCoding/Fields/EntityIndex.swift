/// The definition of an index on an entity type. Its fields are given as key paths or as texts.
///
/// ```swift
/// EntityType(Trip.self, in: "trips", indexes: [.on(\.startsAt), .unique(\.title), .on(\.status, \.startsAt)])
/// ```
///
/// Key paths need a type that is `Queryable`. A text is the path of a stored field, e.g. `legs[].from`. An
/// `IndexDefinition` describes what an index does.
public struct EntityIndex<Entity>: Sendable {
    /// The definition of the index on the stored fields.
    package let definition: IndexDefinition

    /// Creates the definition of an index from a definition for stored fields.
    package init(_ definition: IndexDefinition) { self.definition = definition }

    /// Returns the definition of an index that is not unique. See `IndexDefinition.on`.
    public static func on(
        _ path: String, _ others: String..., transform: ValueTransform? = nil, isCovering: Bool = false
    ) -> EntityIndex {
        EntityIndex(IndexDefinition(paths: [path] + others, transform, isUnique: false, isCovering: isCovering))
    }

    /// Returns the definition of a unique index, which rejects a second record with the same values of all fields. See
    /// `IndexDefinition.unique`.
    public static func unique(
        _ path: String, _ others: String..., transform: ValueTransform? = nil, isCovering: Bool = false
    ) -> EntityIndex {
        EntityIndex(IndexDefinition(paths: [path] + others, transform, isUnique: true, isCovering: isCovering))
    }
}

extension EntityIndex where Entity: Queryable {
    /// Returns the definition of an index that is not unique on the fields of one or more properties.
    public static func on<each Content>(
        _ fields: repeat Filter<Entity>.Field<each Content>, isCovering: Bool = false
    ) -> EntityIndex {
        EntityIndex(names(of: repeat each fields), isUnique: false, isCovering)
    }

    /// Returns the definition of a unique index on the fields of one or more properties.
    public static func unique<each Content>(
        _ fields: repeat Filter<Entity>.Field<each Content>, isCovering: Bool = false
    ) -> EntityIndex {
        EntityIndex(names(of: repeat each fields), isUnique: true, isCovering)
    }

    private static func names<each Content>(of fields: repeat Filter<Entity>.Field<each Content>) -> [String] {
        var names: [String] = []
        for field in repeat each fields { names.append(Entity.fields[keyPath: field].name) }
        return names
    }

    private init(_ names: [String], isUnique: Bool, _ isCovering: Bool) {
        // A key path to a property that is not stored has no field. Its text must not be taken for a path.
        let fields = FieldMapping.stored(of: Entity.self)
        if let unknown = names.first(where: { fields[$0]?.isKnown != true }) {
            self.init(IndexDefinition(malformed: unknown))
        } else {
            self.init(IndexDefinition(paths: names, nil, isUnique: isUnique, isCovering: isCovering))
        }
    }
}
