public import DataStoreQueries
import RecordCoding
public import UserProfileData

/// A type of entity of the embedding program, declared when a storage is opened.
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

    /// Creates a declaration of a `Codable` type, whose coding keys become the fields of its records.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - collection: The collection of its records. The name is stored, so it must stay the same when the type is
    ///     renamed.
    ///   - indexes: The indexes of the collection. Opening fails if one names a field that the type does not have.
    ///   - queryFields: The fields that queries read in another form than they are stored in.
    public init<Entity: Codable & Identifiable & Sendable>(
        _ type: Entity.Type, in collection: String, indexes: [IndexDefinition] = [],
        queryFields: [String: FieldMapping] = [:]
    ) where Entity.ID: Codable & Sendable {
        mapping = CodableMapping(type, in: collection, queryFields: queryFields, indexes: indexes)
    }

    /// Creates a declaration of the type of a mapping that is written by hand.
    ///
    /// - Parameter mapping: The mapping between entities and records.
    public init(_ mapping: some RecordMapping) { self.mapping = mapping }
}
