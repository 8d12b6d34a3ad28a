/// A mapping that converts entities of one type to stored records and back.
///
/// `mapping(in:)` of the module `RecordCoding` creates a mapping for any `Codable` type. Write a mapping yourself if
/// you want to choose the stored form, or to decode faster:
///
/// ```swift
/// struct NoteMapping: RecordMapping {
///     let collection = "notes"
///     let fieldNames = ["text"]
///     func record(of note: Note) -> Record { ["text": .string(note.text)] }
///     func entity(of record: borrowing RecordView, id: Note.ID) throws -> Note {
///         Note(id: id, text: try record.required("text"))
///     }
/// }
/// ```
public protocol RecordMapping<Entity>: Sendable {
    /// The type of the entities that the mapping converts.
    associatedtype Entity: Identifiable & Sendable where Entity.ID: Sendable

    /// The name of the collection in which the records are stored.
    var collection: String { get }

    /// The names of the fields that ``record(of:)`` may return. A save preserves all other fields of the stored record,
    /// because a newer program may have written them.
    var fieldNames: [String] { get }

    /// Converts the id of an entity to the id of its record.
    ///
    /// - Throws: Any error if the id cannot be stored.
    func text(of id: Entity.ID) throws -> String

    /// Converts the id of a record to the id of its entity.
    ///
    /// - Throws: Any error if the text is not a valid id.
    func id(of text: String) throws -> Entity.ID

    /// Encodes an entity as a record. The record need not contain the id, because its key contains the id.
    ///
    /// - Throws: Any error if the entity cannot be encoded.
    func record(of entity: Entity) throws -> Record

    /// Returns the record to store for an entity, including fields of the replaced record that other programs may have
    /// written.
    ///
    /// The default implementation adds the fields of the replaced record whose names are not in ``fieldNames``.
    ///
    /// - Parameters:
    ///   - entity: The entity to store.
    ///   - old: The replaced record, or `nil` if the entity is new.
    /// - Returns: The record to store.
    /// - Throws: Any error of ``record(of:)``.
    func record(of entity: Entity, replacing old: Record?) throws -> Record

    /// Decodes an entity from a record.
    ///
    /// The id is `consuming`, so that the entity can take it over without a copy. An implementation may omit this word.
    ///
    /// - Throws: Any error if the record cannot be decoded.
    func entity(of record: borrowing RecordView, id: consuming Entity.ID) throws -> Entity

    /// Decodes an entity from a record under a key. Lists call it.
    ///
    /// The default implementation converts the text with ``id(of:)``. UUIDs are read from the bytes. Implement it if
    /// your own type of id can be read from UTF-8 bytes, too, so that a list creates no string for each entity.
    ///
    /// - Parameters:
    ///   - record: The stored record.
    ///   - idText: The id of the record as UTF-8 bytes.
    /// - Returns: The entity.
    /// - Throws: Any error if the id or the record cannot be decoded.
    func entity(of record: borrowing RecordView, idText: Span<UInt8>) throws -> Entity

    /// Decodes an entity from a record under a key, and appends it to an array. Lists and queries call it.
    ///
    /// Do not implement it. It is a requirement so that the compiler makes a function of the default implementation for
    /// each type of mapping without generic parameters. A function for all types would look up the type of the array
    /// for each entity.
    ///
    /// - Parameters:
    ///   - record: The stored record.
    ///   - idText: The id of the record as UTF-8 bytes.
    ///   - entities: The array.
    /// - Throws: Any error if the id or the record cannot be decoded.
    func appendEntity(of record: borrowing RecordView, idText: Span<UInt8>, to entities: inout [Entity]) throws

    /// Reads a record and decodes its entity. Reads by id call it.
    ///
    /// Do not implement it. It is a requirement for the same reason as ``appendEntity(of:idText:to:)``.
    ///
    /// - Parameters:
    ///   - id: The id of the entity.
    ///   - key: The key of the record.
    ///   - transaction: The transaction to read in.
    ///   - isHidden: A closure that returns whether a record counts as missing, or `nil` if none does.
    /// - Returns: The entity.
    /// - Throws: Any error if the record is missing or cannot be read or decoded.
    func readEntity(
        _ id: Entity.ID, under key: Key, in transaction: borrowing ReadTransaction,
        unless isHidden: ((borrowing RecordView) throws -> Bool)?
    ) throws -> Entity

    /// The translations of the fields that queries can use, by their names in the entity. The default is empty.
    var queryFields: [String: FieldMapping] { get }

    /// The indexes of the collection. The default is empty.
    var indexes: [IndexDefinition] { get }

    /// The references, the expiry and the owner of the records. The default is none.
    var rules: CollectionRules { get }

    /// The record field that contains the id as an integer, or `nil` if the ids are not integers. The default is `nil`.
    ///
    /// The keys of records are texts and are sorted as bytes, so `10` comes before `9`. If the mapping has this field,
    /// lists and queries sort entities by it, so that `9` comes before `10`. ``indexes`` should contain an index on it,
    /// because without one each page of a query sorts all ids.
    var integerIDField: QueryField? { get }

    /// The names of the fields that every record is known to have. A schema rejects a reference that would clear one of
    /// them. The default is empty.
    var requiredFields: Set<String> { get }

    /// The fields that a record can have. A schema rejects an index on any other field. The default is ``fieldNames``,
    /// whose values can have any structure.
    var fields: FieldTree { get }
}

/// A mapping that encodes records itself, without creating a `Record`.
package protocol EncodesRecords<Entity>: RecordMapping {
    /// Encodes an entity like ``RecordMapping/record(of:replacing:)``.
    func encoded(_ entity: Entity, replacing old: EncodedRecord?) throws -> EncodedRecord
}

/// An error which states that no entity has an id. An optional result would look up its type at run time.
@usableFromInline
package struct MissingEntity: Error {
    @usableFromInline
    init() {}
}

extension RecordMapping where Entity.ID == String {
    /// Returns the id itself.
    public func text(of id: String) -> String { id }

    /// Returns the text itself.
    public func id(of text: String) -> String { text }
}

extension RecordMapping {
    /// An empty dictionary, so queries cannot use any field.
    public var queryFields: [String: FieldMapping] { [:] }

    /// An empty array, so the collection has no indexes.
    public var indexes: [IndexDefinition] { [] }

    /// No rules, so the records have no references, no expiry and no owner.
    public var rules: CollectionRules { .none }

    /// `nil`, so lists and queries sort the entities by the bytes of their ids.
    public var integerIDField: QueryField? { nil }

    /// An empty set, so a reference may clear each field.
    public var requiredFields: Set<String> { [] }

    /// The fields in ``fieldNames``. A schema accepts an index on each of them, and on each field nested in them.
    public var fields: FieldTree {
        .record(Dictionary(fieldNames.map { ($0, .unknown) }) { first, _ in first })
    }

    /// Decodes an entity after converting the text of its id with ``id(of:)``.
    @inlinable
    public func entity(of record: borrowing RecordView, idText: Span<UInt8>) throws -> Entity {
        guard let text = String(utf8: idText) else { throw FieldError("id", "is not UTF-8") }
        return try entity(of: record, id: id(of: text))
    }

    /// Decodes an entity and appends it to an array.
    @inlinable
    public func appendEntity(
        of record: borrowing RecordView, idText: Span<UInt8>, to entities: inout [Entity]
    ) throws {
        entities.append(try entity(of: record, idText: idText))
    }

    /// Reads a record and decodes its entity.
    @inlinable
    public func readEntity(
        _ id: Entity.ID, under key: Key, in transaction: borrowing ReadTransaction,
        unless isHidden: ((borrowing RecordView) throws -> Bool)?
    ) throws -> Entity {
        var entity: Entity?
        var failure: (any Error)?
        _ = try transaction.backend.view(key) { record in
            do {
                if try isHidden?(record) == true { return }
                entity = try self.entity(of: record, id: id)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        // Moves the entity out of the variable instead of copying it.
        guard let entity = entity.take() else { throw MissingEntity() }
        return entity
    }

    /// The identifier of the entity type, by which a unit of work finds the mapping of the type.
    package var entityType: ObjectIdentifier { ObjectIdentifier(Entity.self) }

    /// The declaration of the collection for a `Schema`, with its name, fields and indexes.
    public var schemaCollection: Schema.Collection {
        var schema = Schema.Collection(collection, indexes: indexes, rules: rules, fields: fields)
        schema.requiredFields = requiredFields
        schema.recordName = "\(Entity.self)"
        schema.queriedFields = queryFields.values.flatMap(\.queriedFields)
        schema.decode = { _ = try entity(of: RecordView($0.record), id: id(of: $0.key.id)) }
        schema.derivedFields = FieldMapping.comparableMailAddresses(in: queryFields)
        return schema
    }

    /// Returns the record of an entity, with the fields of the replaced record that are not in ``fieldNames``.
    public func record(of entity: Entity, replacing old: Record?) throws -> Record {
        var record = try record(of: entity)
        guard let old else { return record }
        let names = fieldNames
        for field in old where !names.contains(field.name) { record[field.name] = field.value }
        return record
    }
}

/// An error which states that a field of a record cannot be decoded, or that a property of an entity cannot be encoded.
@usableFromInline
package struct FieldError: Error, CustomStringConvertible {
    /// The name or path of the field, e.g. `address.lines[2]`. It is empty if the error concerns the whole record.
    package let name: String

    /// The reason as a clause that follows the name of the field, e.g. `is missing`.
    package let reason: String

    /// The error that caused this one, or `nil` if there is no other cause.
    package let underlying: (any Error)?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - name: The name or path of the field, or the empty string for the whole record.
    ///   - reason: The reason as a clause that follows the name of the field, e.g. `is missing`.
    ///   - underlying: The error that caused this one, or `nil` if there is no other cause.
    @usableFromInline
    package init(_ name: String, _ reason: String, underlying: (any Error)? = nil) {
        self.name = name
        self.reason = reason
        self.underlying = underlying
    }

    /// One sentence that states the field and the reason.
    @usableFromInline
    package var description: String { name.isEmpty ? "the record \(reason)" : "the field \(name) \(reason)" }
}
