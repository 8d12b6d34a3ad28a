/// A reference of an entity type: a property with the id of another entity, or with an array of ids.
///
/// ```swift
/// EntityType(
///     Appointment.self, in: "appointments",
///     references: [.to("patients", by: \.patientID), .to("rooms", by: \.roomID, onDelete: .clear)])
/// ```
///
/// Every program that writes to the store enforces the reference. See `Reference`.
public struct EntityReference<Entity>: Sendable {
    /// The definition of the reference of the stored field.
    package let definition: Reference

    /// Returns a reference by the path of a stored field, e.g. `place.ownerID`.
    ///
    /// - Parameters:
    ///   - collection: The collection of the other entities. It may be the collection of this type.
    ///   - path: The path of the field with the id.
    ///   - deletionRule: What happens to the entity when the other one is deleted.
    /// - Returns: The reference.
    public static func to(
        _ collection: String, by path: String, onDelete deletionRule: Reference.DeletionRule = .restrict
    ) -> EntityReference {
        EntityReference(definition: Reference(from: path, to: collection, onDelete: deletionRule))
    }
}

extension EntityReference where Entity: Decodable {
    /// Returns a reference by a stored property.
    ///
    /// ```swift
    /// let visits = EntityType(Visit.self, in: "visits", references: [.to("doctors", by: \.doctor, onDelete: .clear)])
    /// ```
    ///
    /// - Parameters:
    ///   - collection: The collection of the other entities. It may be the collection of this type.
    ///   - property: The property with the id. Its type is the type of the id, an optional id, or an array of ids.
    ///   - deletionRule: What happens to the entity when the other one is deleted. A property that is not optional
    ///     cannot be cleared.
    /// - Returns: The reference.
    public static func to(
        _ collection: String, by property: PartialKeyPath<Entity>,
        onDelete deletionRule: Reference.DeletionRule = .restrict
    ) -> EntityReference {
        let field = StoredProperties.field(of: property)
        return EntityReference(definition: Reference(from: field, to: collection, onDelete: deletionRule))
    }
}

extension CollectionRules {
    /// Creates the rules of an entity type.
    package init<Entity: Decodable>(
        references: [EntityReference<Entity>], expiresAt expiry: PartialKeyPath<Entity>?,
        owner: PartialKeyPath<Entity>?
    ) {
        self.init(
            references: references.map(\.definition), expiresAt: expiry.map { StoredProperties.field(of: $0) },
            owner: owner.map { StoredProperties.field(of: $0) })
    }
}

extension StoredProperties {
    /// Returns the field of a property, and the field of its elements if it is an array. A schema rejects the field of
    /// a property that is not stored.
    static func field<Entity>(of property: PartialKeyPath<Entity>) -> QueryField {
        guard let field = of(Entity.self).field(of: property) else { return QueryField(malformed: text(of: property)) }
        return unwrapped(Swift.type(of: property).valueType) is any ArrayType.Type ? field.elements : field
    }
}
