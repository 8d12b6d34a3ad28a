public import DataStoreQueries
import RecordCoding
public import UserProfileData

/// A type of entity that a program stores besides users and weather. Pass it when you open a ``UserProfileStorage``.
///
/// ```swift
/// struct Trip: Codable, Identifiable, Sendable {
///     let id: UUID
///     var title: String
///     var startsAt: Date
/// }
///
/// let storage = try await UserProfileStorage.open(
///     .lmdb("/var/lib/my-program"),
///     entities: [EntityType(Trip.self, in: "trips", indexes: [.on("startsAt"), .unique("title")])])
/// let trips = try storage.repository(of: Trip.self)
/// ```
public struct EntityType: Sendable {
    let mapping: any RecordMapping

    /// Declares a `Codable` type, whose coding keys become the fields of the stored records.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - collection: The name of the collection in which the entities are stored. Keep this name when you rename the
    ///     type, so that the program finds the entities that are already stored.
    ///   - indexes: The indexes of the collection. If an index names a field that the type does not have, opening the
    ///     storage fails.
    ///   - queryFields: The mappings of the entity's fields to fields of stored records, by the names of the entity's
    ///     fields. Pass a mapping for each field whose stored value differs from the value that queries compare.
    public init<Entity: Codable & Identifiable & Sendable>(
        _ type: Entity.Type, in collection: String, indexes: [IndexDefinition] = [],
        queryFields: [String: FieldMapping] = [:]
    ) where Entity.ID: Codable & Sendable {
        mapping = CodableMapping(type, in: collection, queryFields: queryFields, indexes: indexes)
    }

    /// Declares the type that a `RecordMapping` converts to records.
    ///
    /// - Parameter mapping: The mapping, which you write yourself.
    public init(_ mapping: some RecordMapping) { self.mapping = mapping }
}
