/// What queries can be asked about.
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
    /// The fields, one constant for each.
    associatedtype Fields: Sendable

    /// The fields.
    static var fields: Fields { get }
}
