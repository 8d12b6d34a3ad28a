/// An entity type that queries can filter and sort by its fields.
///
/// For a `Codable` type, the type `EntityFields` of the module `RecordCoding` declares all fields. For other types,
/// declare constants:
///
/// ```swift
/// extension Note: Queryable {
///     struct Fields: Sendable {
///         let text = EntityField<Note, String>("text")
///         let isDone = EntityField<Note, Bool>("isDone")
///     }
///     static let fields = Fields()
/// }
///
/// let filter: Filter<Note> = \.isDone == false && .contains(\.text, "milk")
/// ```
public protocol Queryable: Sendable {
    /// A type whose members are the queryable fields: an ``EntityField`` for each field, or an ``EntityParts`` if the
    /// field contains parts.
    associatedtype Fields: Sendable

    /// The queryable fields, to which key paths such as `\.isDone` refer.
    static var fields: Fields { get }
}
