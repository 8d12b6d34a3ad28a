/// Why a store did not do what it was asked to.
///
/// The ``code`` is one of a few that a caller can act on; the rest says what was being done, on which key or path, and
/// what was the cause.
public struct DataStoreError: Error, Sendable {
    /// The kind of failure. New ones may be added: a `switch` needs a `default`.
    public struct Code: Hashable, Sendable {
        private enum Kind: String {
            case invalidKey, invalidRecord, notAStore, corrupted, formatTooNew, full, readOnly, busy
            case unsupportedFileSystem, closed, inputOutput, invalidQuery, notUnique
        }
        private let kind: Kind

        /// A collection name or id that no store takes. Nothing was changed.
        public static let invalidKey = Code(kind: .invalidKey)
        /// A record that no store takes. Nothing was changed.
        public static let invalidRecord = Code(kind: .invalidRecord)
        /// A query that makes no sense, e.g. with a cursor of another sort.
        public static let invalidQuery = Code(kind: .invalidQuery)
        /// Another record has the same value of a unique index. Nothing was changed.
        public static let notUnique = Code(kind: .notUnique)
        /// What is at the path is something else than a store. It was left as it is.
        public static let notAStore = Code(kind: .notAStore)
        /// Bytes are not what was written. They were left as they are.
        public static let corrupted = Code(kind: .corrupted)
        /// A newer program wrote the store in a format that this one does not know. It was left as it is.
        public static let formatTooNew = Code(kind: .formatTooNew)
        /// The disk, a quota or the store's own bound is reached. Nothing was changed.
        public static let full = Code(kind: .full)
        /// The store can be read but not written.
        public static let readOnly = Code(kind: .readOnly)
        /// Somebody else holds what is needed; try again.
        public static let busy = Code(kind: .busy)
        /// The store cannot keep its promises on this file system.
        public static let unsupportedFileSystem = Code(kind: .unsupportedFileSystem)
        /// The store was closed.
        public static let closed = Code(kind: .closed)
        /// The operating system refused; ``DataStoreError/errno`` says why.
        public static let inputOutput = Code(kind: .inputOutput)
    }

    /// The kind of failure.
    public let code: Code

    /// What was wrong, as the end of a sentence.
    public let reason: String

    /// What was being done, e.g. `save a record`.
    public private(set) var operation: String?

    /// The key it was done to, as `collection/id`.
    public private(set) var key: String?

    /// The file or directory that the store is kept in.
    public private(set) var path: String?

    /// The operating system's error number, where it had one.
    public let errno: Int32?

    /// The error that caused this one, where there was one.
    public let underlying: (any Error)?

    /// Describes a failure.
    ///
    /// - Parameters:
    ///   - code: the kind of failure.
    ///   - reason: what was wrong, as the end of a sentence.
    ///   - operation: what was being done.
    ///   - key: the key it was done to.
    ///   - path: the file or directory that the store is kept in.
    ///   - errno: the operating system's error number.
    ///   - underlying: the error that caused this one.
    public init(
        _ code: Code, _ reason: String, operation: String? = nil, key: Key? = nil, path: String? = nil,
        errno: Int32? = nil, underlying: (any Error)? = nil
    ) {
        self.code = code
        self.reason = reason
        self.operation = operation
        self.key = key?.description
        self.path = path
        self.errno = errno
        self.underlying = underlying
    }

    /// The same failure with what was being done, on which key and path, where it is not yet said.
    public func adding(operation: String? = nil, key: Key? = nil, path: String? = nil) -> DataStoreError {
        var error = self
        error.operation = self.operation ?? operation
        error.key = self.key ?? key?.description
        error.path = self.path ?? path
        return error
    }

    static func invalidKey(_ collection: String, _ id: String, _ reason: String) -> DataStoreError {
        var error = DataStoreError(.invalidKey, reason)
        let shown = "\(collection)/\(id)".escapingControlCharacters
        error.key = shown.count > 80 ? "\(shown.prefix(80))…" : shown
        return error
    }

    package static func invalidRecord(_ reason: String) -> DataStoreError { DataStoreError(.invalidRecord, reason) }

    /// What every use of a store after its `close()` throws.
    package static func closed(path: String? = nil) -> DataStoreError {
        DataStoreError(.closed, "the store was closed; open it again to go on", path: path)
    }
}

extension DataStoreError.Code: CustomStringConvertible {
    /// The name of the code.
    public var description: String { kind.rawValue }
}

extension DataStoreError: CustomStringConvertible {
    /// One sentence: what was being done, to what, and what was wrong.
    public var description: String {
        var text = operation.map { "could not \($0)" } ?? "the store failed"
        if let key { text += " (key \(key))" }
        if let path { text += " in \(path.escapingControlCharacters)" }
        return "\(text): \(reason)"
    }
}
