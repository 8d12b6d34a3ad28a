public import DataStoreCore

/// How entities of one kind are kept as records: the collection, the id, and the fields.
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

    /// The names of the fields that ``record(of:)`` may write. Fields of other names were written by a newer program and
    /// are kept when an entity is saved.
    var fieldNames: [String] { get }

    /// An id as the store keeps it.
    func text(of id: Entity.ID) -> String

    /// The id that the store keeps as a text.
    func id(of text: String) throws -> Entity.ID

    /// The fields of an entity.
    func record(of entity: Entity) -> Record

    /// The entity of a stored record.
    ///
    /// - Throws: any error, e.g. ``FieldError``, where the record is not one of an entity.
    func entity(of record: borrowing RecordView, id: Entity.ID) throws -> Entity

    /// How the fields that queries ask for are asked for in records, by the names that the entity has for them. None unless
    /// said otherwise.
    var queryFields: [String: FieldMapping] { get }

    /// The indexes of the collection: by what entities are found and sorted without looking at all of them. None unless said
    /// otherwise.
    var indexes: [RecordIndex] { get }
}

extension RecordMapping {
    /// None.
    public var queryFields: [String: FieldMapping] { [:] }

    /// None.
    public var indexes: [RecordIndex] { [] }
}
