/// An error in a condition or an order, in two parts: a reason, whose lines a narrow page wraps, and the query with a
/// mark below the mistake, whose lines must not be wrapped.
struct QueryMistake: Sendable {
    let reason: String
    let excerpt: String

    /// Divides the message of an error.
    init(_ message: String) {
        reason = String(message.prefix { $0 != "\n" })
        excerpt = String(message.dropFirst(reason.count + 1))
    }
}
