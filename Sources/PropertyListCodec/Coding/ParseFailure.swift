/// Why bytes are no property list, or what is in one is none of ours, and where.
struct ParseFailure: Error {
    /// Whether the bytes are damaged, or something that was never a store.
    enum Kind { case damaged, notAStore, formatTooNew }

    var kind = Kind.damaged
    let reason: String
    /// How many bytes of the file come before it.
    let offset: Int
}
