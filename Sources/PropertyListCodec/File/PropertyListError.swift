/// The reason why a file cannot be read, and the position of the error.
package struct PropertyListError: Error {
    /// The kinds of errors.
    package enum Kind: Sendable {
        /// The file is damaged.
        case damaged
        /// The file is a property list that belongs to another program.
        case notAStore
        /// The records have a newer format than this version supports.
        case formatTooNew
    }

    /// The kind of error.
    package let kind: Kind
    /// The reason, without the position.
    package let reason: String
    /// The number of bytes of the file before the error.
    package let offset: Int

    init(_ reason: String, at offset: Int, _ kind: Kind = .damaged) {
        self.kind = kind
        self.reason = reason
        self.offset = offset
    }
}
