/// A type that queries can filter and sort by its fields.
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
    /// The type of the fields, with one constant for each field.
    associatedtype Fields: Sendable

    /// The fields.
    static var fields: Fields { get }
}
