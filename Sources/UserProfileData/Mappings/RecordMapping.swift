public import DataStoreCore
public import DataStoreQueries

/// How entities of one kind are kept as records: the collection, the id, and the fields.
///
/// `CodableMapping` of `RecordCoding` is one for any `Codable` entity. A mapping written by hand is faster and chooses
/// its own form:
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
    /// What is mapped.
    associatedtype Entity: Identifiable & Sendable where Entity.ID: Sendable

    /// The collection that the records are kept in.
    var collection: String { get }

    /// The names of the fields that ``record(of:)`` may write. Fields of other names were written by a newer program
    /// and are kept when an entity is saved.
    var fieldNames: [String] { get }

    /// An id as the store keeps it.
    ///
    /// - Throws: any error, e.g. ``FieldError``, where the id cannot be kept.
    func text(of id: Entity.ID) throws -> String

    /// The id that the store keeps as a text.
    func id(of text: String) throws -> Entity.ID

    /// The fields of an entity.
    ///
    /// - Throws: any error, e.g. ``FieldError``, where the entity cannot be kept.
    func record(of entity: Entity) throws -> Record

    /// The record that is kept for an entity: its fields, and of the record that it replaces what other programs may
    /// have written. Unless said otherwise these are the fields whose names are not among ``fieldNames``.
    ///
    /// - Parameters:
    ///   - entity: the entity.
    ///   - old: the record that it replaces; nil where there is none.
    /// - Returns: the record.
    /// - Throws: what ``record(of:)`` throws.
    func record(of entity: Entity, replacing old: Record?) throws -> Record

    /// The entity of a stored record.
    ///
    /// - Throws: any error, e.g. ``FieldError``, where the record is not one of an entity.
    func entity(of record: borrowing RecordView, id: Entity.ID) throws -> Entity

    /// How the fields that queries ask for are asked for in records, by the names that the entity has for them. None
    /// unless said otherwise.
    var queryFields: [String: FieldMapping] { get }

    /// The indexes of the collection. The default is none.
    var indexes: [IndexDefinition] { get }

    /// The fields that records can have, so that a schema rejects an index of any other. The default is ``fieldNames``
    /// with values of any kind.
    var fields: FieldTree { get }
}

extension RecordMapping {
    /// None.
    public var queryFields: [String: FieldMapping] { [:] }

    /// None.
    public var indexes: [IndexDefinition] { [] }

    /// The fields of ``fieldNames``.
    public var fields: FieldTree {
        .record(Dictionary(fieldNames.map { ($0, .unknown) }) { first, _ in first })
    }

    /// Identifies the type of the entities.
    package var entityType: ObjectIdentifier { ObjectIdentifier(Entity.self) }

    /// The collection as a part of a schema.
    public var schemaCollection: Schema.Collection {
        var schema = Schema.Collection(collection, indexes: indexes, fields: fields)
        schema.recordName = "\(Entity.self)"
        schema.queriedFields = queryFields.values.flatMap(\.queriedFields)
        return schema
    }

    /// The fields of the entity, and those of the old record that are not among ``fieldNames``.
    public func record(of entity: Entity, replacing old: Record?) throws -> Record {
        var record = try record(of: entity)
        for field in old ?? Record() where !fieldNames.contains(field.name) { record[field.name] = field.value }
        return record
    }
}
