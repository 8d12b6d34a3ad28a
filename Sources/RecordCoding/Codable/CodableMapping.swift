package import DataStoreCore
public import DataStoreQueries
public import UserProfileData

extension Decodable where Self: Encodable & Identifiable & Sendable, ID: Codable & Sendable {
    /// Returns a mapping of the type to records that needs no mapping code: a record has the fields that the entity
    /// encodes.
    ///
    /// ```swift
    /// struct Note: Codable, Identifiable, Sendable {
    ///     let id: UUID
    ///     var title: String
    ///     var due: Date?
    /// }
    ///
    /// let notes = try store.repository(mapping: Note.mapping(in: "notes"))
    /// ```
    ///
    /// - The id is encoded like any other field and is also the key, so its Codable form must be a single string or
    ///   integer. Entities are listed in the order of the texts of their ids: 10 comes before 9.
    /// - A save leaves fields in the record for which the type has no coding key, because a newer program wrote them.
    ///   The values of fields are replaced as a whole.
    /// - If the entity is `Queryable`, the names of its declared fields must be coding keys. An `EntityField` of a
    ///   `MailAddress` ignores the ASCII case of the domain, as `MailAddress` does.
    ///
    /// A `RecordMapping` written by hand is faster and chooses its own form.
    ///
    /// - Parameters:
    ///   - collection: The collection of the records. The name is stored, so it must stay the same when the type is
    ///     renamed.
    ///   - queryFields: The fields whose stored form differs from the form that queries compare, by the names of the
    ///     entity's fields, e.g. `["tag": FieldMapping(.elements(of: "tags"))]`.
    ///   - indexes: The indexes of the collection. The name of a query field stands for the form in which queries
    ///     compare it.
    ///   - userInfo: The values that the entity's `encode(to:)` and `init(from:)` find in the coder's `userInfo`.
    /// - Returns: The mapping.
    public static func mapping(
        in collection: String, queryFields: [String: FieldMapping] = [:], indexes: [IndexDefinition] = [],
        userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) -> some RecordMapping<Self> {
        CodableMapping(Self.self, in: collection, queryFields: queryFields, indexes: indexes, userInfo: userInfo)
    }
}

/// A mapping of `Codable` entities to records. `mapping(in:)` of a `Codable` type describes it.
package struct CodableMapping<Entity: Codable & Identifiable & Sendable>: RecordMapping
where Entity.ID: Codable & Sendable {
    /// The collection of the records.
    package let collection: String

    /// The fields of records that queries read, by the names of the entity's fields.
    package let queryFields: [String: FieldMapping]

    /// The indexes of the collection.
    package let indexes: [IndexDefinition]

    /// An empty array: ``record(of:replacing:)`` keeps the fields for which the type has no coding key.
    package var fieldNames: [String] { [] }

    /// The coding keys of the type, found by decoding it from placeholder values if indexes or query fields are to be
    /// checked.
    package let fields: FieldTree

    private let encoder: RecordEncoder
    private let decoder: RecordDecoder

    /// Creates a mapping.
    ///
    /// - Parameters:
    ///   - type: The entity's type.
    ///   - collection: The collection of the records. The name is stored, so it must stay the same when the type is
    ///     renamed.
    ///   - queryFields: The fields whose stored form differs from the form that queries compare, by the names of the
    ///     entity's fields, e.g. `["tag": FieldMapping(.elements(of: "tags"))]`.
    ///   - indexes: The indexes of the collection. The name of a query field stands for the form in which queries
    ///     compare it.
    ///   - userInfo: The values that the entity's `encode(to:)` and `init(from:)` find in the coder's `userInfo`.
    package init(
        _ type: Entity.Type = Entity.self, in collection: String, queryFields: [String: FieldMapping] = [:],
        indexes: [IndexDefinition] = [],
        userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) {
        self.collection = collection
        let queryFields = FieldMapping.stored(of: type).merging(queryFields) { $1 }
        self.queryFields = queryFields
        // An index of a field helps queries only if it has the form that queries compare.
        self.indexes = indexes.map { index in
            guard let field = queryFields[index.name]?.field else { return index }
            return IndexDefinition(field, isUnique: index.isUnique, isCovering: index.isCovering)
        }
        // Probing runs the type's own code, so it is done only if there is something to check.
        let isChecked = !indexes.isEmpty || !queryFields.isEmpty
        fields = isChecked ? FieldProbe.fields(of: type, userInfo: userInfo) : .unknown
        var (encoder, decoder) = (RecordEncoder(), RecordDecoder())
        (encoder.userInfo, decoder.userInfo) = (userInfo, userInfo)
        (self.encoder, self.decoder) = (encoder, decoder)
    }

    /// Returns the Codable form of an id as text.
    ///
    /// - Throws: `FieldError` if the id encodes neither as a string nor as an integer.
    package func text(of id: Entity.ID) throws -> String { try CodedID.text(of: id) }

    /// Returns the id with a text.
    ///
    /// - Throws: `FieldError` if no id has this text.
    package func id(of text: String) throws -> Entity.ID { try CodedID.id(of: text, as: Entity.ID.self) }

    /// Returns the fields that the entity encodes.
    ///
    /// - Throws: `FieldError` if the entity cannot be encoded.
    package func record(of entity: Entity) throws -> Record { try encoder.encode(entity) }

    /// Returns the fields that the entity encodes, and the fields of an older record for which the type has no coding
    /// key.
    ///
    /// - Throws: `FieldError` if the entity cannot be encoded.
    package func record(of entity: Entity, replacing old: Record?) throws -> Record {
        try encoder.encode(entity, replacing: old)
    }

    /// Returns the entity decoded from a record.
    ///
    /// - Throws: `FieldError` if the record cannot be decoded, or if the decoded id is not the id of the key.
    package func entity(of record: borrowing RecordView, id: Entity.ID) throws -> Entity {
        let entity = try decoder.decode(Entity.self, from: try record.record())
        guard entity.id == id else {
            throw FieldError(
                "id",
                "is \(try text(of: entity.id).escapingControlCharacters), not the id of its key; encode the id")
        }
        return entity
    }
}
