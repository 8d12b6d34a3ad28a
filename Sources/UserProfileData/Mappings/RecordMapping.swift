public import DataStoreCore
public import DataStoreQueries

/// A mapping between entities of one type and records: their collection, ids and fields.
///
/// `mapping(in:)` of `RecordCoding` maps any `Codable` entity. A mapping written by hand is faster and chooses its
/// own form:
///
/// ```swift
/// struct NoteMapping: RecordMapping {
///     let collection = "notes"
///     let fieldNames = ["text"]
///     func text(of id: Note.ID) -> String { id.uuidString }
///     func id(of text: String) throws -> Note.ID { … }
///     func record(of note: Note) -> Record { ["text": .string(note.text)] }
///     func entity(of record: borrowing RecordView, id: Note.ID) throws -> Note {
///         Note(id: id, text: try record.required("text", \.string))
///     }
/// }
/// ```
public protocol RecordMapping<Entity>: Sendable {
    /// The type of the entities.
    associatedtype Entity: Identifiable & Sendable where Entity.ID: Sendable

    /// The collection of the records.
    var collection: String { get }

    /// The names of the fields that ``record(of:)`` may write. A save keeps all other fields of the stored record,
    /// because a newer program wrote them.
    var fieldNames: [String] { get }

    /// Returns the id of the record for the id of an entity.
    ///
    /// - Throws: Any error, if the id cannot be stored.
    func text(of id: Entity.ID) throws -> String

    /// Returns the id of an entity for the id of its record.
    ///
    /// - Throws: Any error, if no entity has this id.
    func id(of text: String) throws -> Entity.ID

    /// Returns the fields of an entity.
    ///
    /// - Throws: Any error, if the entity cannot be encoded.
    func record(of entity: Entity) throws -> Record

    /// Returns the record to store for an entity: its fields, and the fields of the replaced record that other programs
    /// may have written. By default, these are the fields whose names are not in ``fieldNames``.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - old: The replaced record; `nil` if the entity is new.
    /// - Returns: The record.
    /// - Throws: What ``record(of:)`` throws.
    func record(of entity: Entity, replacing old: Record?) throws -> Record

    /// Returns the entity that a record contains.
    ///
    /// - Throws: Any error, if the record cannot be decoded.
    func entity(of record: borrowing RecordView, id: Entity.ID) throws -> Entity

    /// The mappings of the fields that queries can use, by the names of the entity's fields. The default is none.
    var queryFields: [String: FieldMapping] { get }

    /// The indexes of the collection. The default is none.
    var indexes: [IndexDefinition] { get }

    /// The fields that records can have, so that a schema rejects an index of any other. The default is ``fieldNames``
    /// with values of any kind.
    var fields: FieldTree { get }
}

extension RecordMapping {
    /// An empty dictionary: queries can use no field.
    public var queryFields: [String: FieldMapping] { [:] }

    /// An empty array: the collection has no indexes.
    public var indexes: [IndexDefinition] { [] }

    /// The fields of ``fieldNames``, with values of any kind.
    public var fields: FieldTree {
        .record(Dictionary(fieldNames.map { ($0, .unknown) }) { first, _ in first })
    }

    /// The identifier of the type of the entities.
    package var entityType: ObjectIdentifier { ObjectIdentifier(Entity.self) }

    /// The declaration of the collection for a `Schema`: its name, fields and indexes.
    public var schemaCollection: Schema.Collection {
        var schema = Schema.Collection(collection, indexes: indexes, fields: fields)
        schema.recordName = "\(Entity.self)"
        schema.queriedFields = queryFields.values.flatMap(\.queriedFields)
        return schema
    }

    /// Returns the fields of the entity, and the fields of the old record that are not in ``fieldNames``.
    public func record(of entity: Entity, replacing old: Record?) throws -> Record {
        var record = try record(of: entity)
        for field in old ?? Record() where !fieldNames.contains(field.name) { record[field.name] = field.value }
        return record
    }
}
