/// The failure of a store: a ``code`` that a caller can act on, the operation, the key or path, the reason and the
/// cause.
public struct DataStoreError: Error, Sendable {
    /// The kind of failure. New ones may be added: a `switch` needs a `default`.
    public struct Code: Hashable, Sendable {
        private enum Kind: String {
            case invalidKey, invalidRecord, notAStore, corrupted, formatTooNew, full, readOnly, busy
            case unsupportedFileSystem, closed, inputOutput, invalidQuery, notUnique, indexNotReady
        }
        private let kind: Kind

        /// A collection name or id is invalid. Nothing was changed.
        public static let invalidKey = Code(kind: .invalidKey)
        /// A record exceeds a limit. Nothing was changed.
        public static let invalidRecord = Code(kind: .invalidRecord)
        /// A query is inconsistent, e.g. it has a cursor of another sort.
        public static let invalidQuery = Code(kind: .invalidQuery)
        /// Another record has the same value of a unique index. Nothing was changed.
        public static let notUnique = Code(kind: .notUnique)
        /// A unique index is incomplete and cannot check the write. Nothing was changed; the index must be rebuilt.
        public static let indexNotReady = Code(kind: .indexNotReady)
        /// Something other than a store is at the path. It was left unchanged.
        public static let notAStore = Code(kind: .notAStore)
        /// Bytes differ from what was written. They were left unchanged.
        public static let corrupted = Code(kind: .corrupted)
        /// A newer program wrote the store in a format that this one does not know. It was left unchanged.
        public static let formatTooNew = Code(kind: .formatTooNew)
        /// The disk, a quota or a limit of the store is full. Nothing was changed.
        public static let full = Code(kind: .full)
        /// The store cannot be written.
        public static let readOnly = Code(kind: .readOnly)
        /// Another process holds a lock; retry.
        public static let busy = Code(kind: .busy)
        /// The store cannot keep its promises on this file system.
        public static let unsupportedFileSystem = Code(kind: .unsupportedFileSystem)
        /// The store was closed.
        public static let closed = Code(kind: .closed)
        /// A call of the operating system failed; ``DataStoreError/errno`` is its error number.
        public static let inputOutput = Code(kind: .inputOutput)
    }

    /// The kind of failure.
    public let code: Code

    /// The reason, as the end of a sentence.
    public let reason: String

    /// The operation, e.g. `save a record`.
    public private(set) var operation: String?

    /// The key, as `collection/id`.
    public private(set) var key: String?

    /// The file or directory.
    public private(set) var path: String?

    /// The error number of the operating system, if there is one.
    public let errno: Int32?

    /// The error that caused this one, if there is one.
    public let underlying: (any Error)?

    /// Creates an error. Each parameter sets the property of its name.
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

    /// Returns the error with the operation, key and path that it lacks.
    @usableFromInline
    package func adding(operation: String? = nil, key: Key? = nil, path: String? = nil) -> DataStoreError {
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

    /// The error of every use of a store after `close()`.
    package static func closed(path: String? = nil) -> DataStoreError {
        DataStoreError(.closed, "the store was closed; open it again to go on", path: path)
    }
}

extension DataStoreError.Code: CustomStringConvertible {
    /// The name of the code.
    public var description: String { kind.rawValue }
}

extension DataStoreError: CustomStringConvertible {
    /// One sentence: operation, key, path and reason.
    public var description: String {
        var text = operation.map { "could not \($0)" } ?? "the store failed"
        if let key { text += " (key \(key))" }
        if let path { text += " in \(path.escapingControlCharacters)" }
        return "\(text): \(reason)"
    }
}
