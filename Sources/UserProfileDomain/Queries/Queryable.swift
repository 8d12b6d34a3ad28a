/// An entity type that queries can filter and sort by its fields.
///
/// `EntityFields` of `RecordCoding` declares all fields of a `Codable` type. For other types, declare constants:
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
    /// A type with one ``EntityField`` constant for each queryable field.
    associatedtype Fields: Sendable

    /// The queryable fields, to which key paths such as `\.isDone` refer.
    static var fields: Fields { get }
}
