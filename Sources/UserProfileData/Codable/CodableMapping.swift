public import DataStoreCore
public import DataStoreQueries

/// Entities as records without mapping code: the fields are those that the entity encodes.
///
/// ```swift
/// struct Note: Codable, Identifiable, Sendable {
///     let id: UUID
///     var title: String
///     var due: Date?
/// }
///
/// let notes = DataStoreRepository(store: store, mapping: CodableMapping(Note.self, in: "notes"))
/// ```
///
/// - The id is encoded like any other field, and is the key, too: its Codable form is a single string or integer. Ids are listed
///   in the order of their texts, so 10 comes before 9.
/// - Fields that the type has no coding key for were written by a newer program and stay when an entity is saved. Within the
///   values of fields nothing is merged.
/// - Where the entity is `Queryable`, its fields are asked for in the records by their names, so these are coding keys.
///   An `EntityField` of a `MailAddress` compares as addresses do.
///
/// How values are kept: ``RecordEncoder``. A hand-written ``RecordMapping`` is quicker, and says itself what is kept.
public struct CodableMapping<Entity: Codable & Identifiable & Sendable>: RecordMapping
where Entity.ID: Codable & Sendable {
    /// The collection that the records are kept in.
    public let collection: String

    /// How the fields that queries ask for are asked for in records.
    public let queryFields: [String: FieldMapping]

    /// The indexes of the fields that are found and sorted by.
    public let indexes: [IndexDefinition]

    /// None: what an entity's fields are is not known before it is encoded; ``record(of:replacing:)`` keeps what is not its own.
    public var fieldNames: [String] { [] }

    private let encoder: RecordEncoder
    private let decoder: RecordDecoder

    /// Makes a mapping.
    ///
    /// - Parameters:
    ///   - type: the entity's type.
    ///   - collection: the collection that the records are kept in. It is on disk: a name of its own, which stays when the type
    ///     gets another one.
    ///   - queryFields: how fields are asked for that are not stored as they are queried, by the names that the entity has for
    ///     them, e.g. `["tag": FieldMapping(.elements(of: "tags"))]`.
    ///   - indexes: The indexes of the collection.
    ///   - userInfo: what the entity's `encode(to:)` and `init(from:)` may ask for.
    public init(
        _ type: Entity.Type = Entity.self, in collection: String, queryFields: [String: FieldMapping] = [:],
        indexes: [IndexDefinition] = [],
        userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) {
        self.collection = collection
        self.queryFields = FieldMapping.stored(of: type).merging(queryFields) { $1 }
        self.indexes = indexes
        var (encoder, decoder) = (RecordEncoder(), RecordDecoder())
        (encoder.userInfo, decoder.userInfo) = (userInfo, userInfo)
        (self.encoder, self.decoder) = (encoder, decoder)
    }

    /// The Codable form of the id.
    public func text(of id: Entity.ID) throws -> String { try CodedID.text(of: id) }

    /// The id of a Codable form.
    public func id(of text: String) throws -> Entity.ID { try CodedID.id(of: text, as: Entity.ID.self) }

    /// The fields that the entity encodes.
    public func record(of entity: Entity) throws -> Record { try encoder.encode(entity) }

    /// The fields that the entity encodes, and those of an older record that its type has no coding key for.
    public func record(of entity: Entity, replacing old: Record?) throws -> Record {
        try encoder.encode(entity, replacing: old)
    }

    /// The entity that decodes the fields.
    public func entity(of record: borrowing RecordView, id: Entity.ID) throws -> Entity {
        let entity = try decoder.decode(Entity.self, from: try record.record())
        guard entity.id == id else {
            throw FieldError(
                "id",
                "is \(try text(of: entity.id).escapingControlCharacters), not the id of its key; it must be encoded")
        }
        return entity
    }
}
