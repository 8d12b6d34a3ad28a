/// An error which states that a file cannot be read, with the reason and the position.
package struct PropertyListError: Error {
    /// The kind of the error.
    package enum Kind: Sendable {
        /// The file is damaged.
        case damaged
        /// The file is a property list of another program.
        case notAStore
        /// The records have a newer format than this version of the library supports.
        case formatTooNew
    }

    /// The kind of the error.
    package let kind: Kind
    /// The reason without the position.
    package let reason: String
    /// The position of the error, in bytes from the start of the file.
    package let offset: Int

    init(_ reason: String, at offset: Int, _ kind: Kind = .damaged) {
        self.kind = kind
        self.reason = reason
        self.offset = offset
    }
}
