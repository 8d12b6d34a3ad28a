// The declarations of this target use this module. Its re-export serves the files here and the programs that import
// the target.
@_exported public import UserProfileData

extension Decodable where Self: Encodable & Identifiable & Sendable, ID: Codable & Sendable {
    /// Returns a mapping that stores entities of the type as records. A record has one field for each coding key that
    /// the type encodes.
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
    /// - The id must encode as a single string or integer. It is stored as a field and is also the key of the record.
    ///   Integer ids are sorted as numbers, and the mapping adds an index on them. Integers outside the range of
    ///   `Int64`, e.g. large `UInt64` values, come last and are sorted by their digits as text. Other ids are sorted by
    ///   their UTF-8 bytes.
    /// - A save preserves fields of the stored record that are not coding keys of the type, because a newer program may
    ///   have written them. It replaces the value of a coding key as a whole.
    /// - If the type is `Queryable`, the names of its declared fields must be paths of coding keys. For a declared
    ///   field of type `MailAddress`, the record also contains the comparable form of the address, in a field whose
    ///   name ends in `-key`. Comparisons and indexes use it.
    ///
    /// A `RecordMapping` that you write yourself is faster and can use any stored form.
    ///
    /// - Parameters:
    ///   - collection: The name of the collection in which the records are stored. Keep this name when you rename the
    ///     type, so that the repository finds the records that are already stored.
    ///   - queryFields: Translations of entity fields to record fields, by the names of the entity fields, e.g.
    ///     `["tag": FieldMapping(.elements(of: "tags"))]`. They replace the translations that the mapping derives from
    ///     the type. Pass one for each field whose stored value is not the value that queries compare.
    ///   - indexes: The indexes of the collection. If an index is on a query field, its entries contain the value that
    ///     queries compare.
    ///   - userInfo: The `userInfo` of the encoder and the decoder that the entity receives.
    /// - Returns: The mapping.
    public static func mapping(
        in collection: String, queryFields: [String: FieldMapping] = [:], indexes: [EntityIndex<Self>] = [],
        userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) -> some RecordMapping<Self> {
        CodableMapping(
            Self.self, in: collection, queryFields: queryFields, indexes: indexes.map(\.definition), userInfo: userInfo)
    }
}

/// A mapping that stores entities of a `Codable` type as records. `mapping(in:)` of the type creates it.
package struct CodableMapping<Entity: Codable & Identifiable & Sendable>: RecordMapping, EncodesRecords
where Entity.ID: Codable & Sendable {
    /// The name of the collection in which the records are stored.
    package let collection: String

    /// The translations of the fields that queries can use, by their names in the entity.
    package let queryFields: [String: FieldMapping]

    /// The indexes of the collection.
    package let indexes: [IndexDefinition]

    /// An empty array, because ``record(of:replacing:)`` decides which fields of a stored record to preserve.
    package var fieldNames: [String] { [] }

    /// The fields that a record of the type can have. If the mapping has neither indexes nor query fields, the value is
    /// `FieldTree.unknown`, because a schema has no names to validate.
    package let fields: FieldTree

    /// The record field that contains the id as an integer, or `nil` if the ids are not integers.
    package let integerIDField: QueryField?

    /// The references, the expiry and the owner of the records.
    package let rules: CollectionRules

    /// The fields of properties that are not optional.
    package let requiredFields: Set<String>

    /// The fields with the comparable forms of mail addresses, or `nil` if there are none.
    private let derivedFields: DerivedFields?
    private let encoder: RecordEncoder
    private let decoder: RecordDecoder

    /// Creates a mapping.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - collection: The name of the collection in which the records are stored. Keep this name when you rename the
    ///     type, so that the repository finds the records that are already stored.
    ///   - queryFields: Translations of entity fields to record fields, by the names of the entity fields, e.g.
    ///     `["tag": FieldMapping(.elements(of: "tags"))]`. They replace the translations that the mapping derives from
    ///     the type. Pass one for each field whose stored value is not the value that queries compare.
    ///   - indexes: The indexes of the collection. If an index is on a query field, its entries contain the value that
    ///     queries compare.
    ///   - rules: The references, the expiry and the owner of the records.
    ///   - userInfo: The `userInfo` of the encoder and the decoder that the entity receives.
    package init(
        _ type: Entity.Type = Entity.self, in collection: String, queryFields: [String: FieldMapping] = [:],
        indexes: [IndexDefinition] = [], rules: CollectionRules = .none,
        userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) {
        self.collection = collection
        let queryFields = FieldMapping.stored(of: type).merging(queryFields) { $1 }
        self.queryFields = queryFields
        derivedFields = FieldMapping.comparableMailAddresses(in: queryFields)
        // An index helps queries only if it contains the value that queries compare.
        func compared(_ field: QueryField) -> QueryField { queryFields[field.name]?.field ?? field }
        let integerIDField = CodableMapping.integerIDField
        self.integerIDField = integerIDField
        var indexes = indexes
        // Without an index on the id, each page of a query would sort all ids.
        if let name = integerIDField?.name, !indexes.contains(where: { $0.name == name }) { indexes.append(.on(name)) }
        self.indexes = indexes.map { index in
            let components = index.field.components
            let field = components.isEmpty ? compared(index.field) : .compound(components.map(compared))
            return IndexDefinition(field, isUnique: index.isUnique, isCovering: index.isCovering)
        }
        // The index of a reference helps queries only if it contains the value that they compare, too.
        self.rules = CollectionRules(
            references: rules.references.map { reference in
                Reference(from: compared(reference.field), to: reference.target, onDelete: reference.deletionRule)
            }, expiresAt: rules.expiry, owner: rules.owner.map(compared))
        requiredFields = rules.references.isEmpty ? [] : StoredProperties.required(in: type)
        // Finding the fields runs code of the type, so it is done only if there is something to check.
        let isChecked = !indexes.isEmpty || !queryFields.isEmpty || rules != .none
        fields = isChecked ? CodingShape(of: type, userInfo: userInfo).record(of: type) : .unknown
        var (encoder, decoder) = (RecordEncoder(), RecordDecoder())
        (encoder.userInfo, decoder.userInfo) = (userInfo, userInfo)
        (self.encoder, self.decoder) = (encoder, decoder)
    }

    /// Encodes an id as the text of a record's key.
    ///
    /// - Throws: `FieldError` if the id encodes neither as a string nor as an integer.
    package func text(of id: Entity.ID) throws -> String { try CodedID.text(of: id) }

    /// Decodes an id from the text of a record's key.
    ///
    /// - Throws: `FieldError` if no id has this text.
    package func id(of text: String) throws -> Entity.ID { try CodedID.id(of: text, as: Entity.ID.self) }

    /// Encodes an entity as a record.
    ///
    /// - Throws: `FieldError` if the entity cannot be encoded.
    package func record(of entity: Entity) throws -> Record {
        try adding(to: encoder.encode(entity, replacing: nil)).record()
    }

    /// Encodes an entity as a record, and adds the fields of the replaced record that are not coding keys of the type.
    ///
    /// - Throws: `FieldError` if the entity cannot be encoded, or if its record would be read with another id.
    package func record(of entity: Entity, replacing old: Record?) throws -> Record {
        try encoded(entity, replacing: old.map { EncodedRecord($0) }).record()
    }

    /// Encodes an entity like ``record(of:replacing:)``.
    package func encoded(_ entity: Entity, replacing old: EncodedRecord?) throws -> EncodedRecord {
        let record = try adding(to: encoder.encode(entity, replacing: old))
        // Nearly all types store the id under this key. For any other type, only decoding shows whether the record is
        // readable. If it were not, lists of the whole collection would fail.
        if let position = try record.position(of: FieldName("id")),
            try text(of: entity.id).withBytes({ try CodedID.has(position, in: record, text: $0) })
        {
            return record
        }
        _ = try self.entity(of: RecordView(record), id: entity.id)
        return record
    }

    /// The record field that contains the id as an integer: the coding key of the property `id`. It is `nil` if the id
    /// is not an integer.
    private static var integerIDField: QueryField? {
        guard CodingShape.kind(of: Entity.ID.self) == .number else { return nil }
        let shape = CodingShape(of: Entity.self)
        if let field = shape.field(of: "id") { return QueryField(field) }
        guard case .record(let fields, _, _) = shape.record(of: Entity.self), case .value(.number)? = fields["id"]
        else {
            return nil
        }
        return QueryField("id")
    }

    private func adding(to record: EncodedRecord) throws -> EncodedRecord {
        guard let derivedFields else { return record }
        return EncodedRecord(derivedFields.adding(to: try record.record()))
    }

    /// Decodes an entity from a record.
    ///
    /// - Throws: `FieldError` if the record cannot be decoded, or if the decoded id differs from the id in the key.
    package func entity(of record: borrowing RecordView, id: Entity.ID) throws -> Entity {
        try checked(decoder.decode(Entity.self, from: record.encodedRecord()), id: id)
    }

    /// Decodes an entity from a record under a key. In nearly all records, the field `id` has the text of the key, so
    /// the id is decoded once.
    package func entity(of record: borrowing RecordView, idText: Span<UInt8>) throws -> Entity {
        let encoded = try record.encodedRecord()
        let entity = try decoder.decode(Entity.self, from: encoded)
        let position = try encoded.position(of: FieldName("id"))
        if let position, try CodedID.has(position, in: encoded, text: idText) { return entity }
        return try checked(entity, id: id(of: String(decoding: idText)))
    }

    private func checked(_ entity: Entity, id: Entity.ID) throws -> Entity {
        guard entity.id == id else {
            throw FieldError(
                "id",
                "is \(try text(of: entity.id).escapingControlCharacters), not the id of its key; encode the id")
        }
        return entity
    }
}
