/// The failure of a store: a ``code`` that a caller can act on, the operation, the key or path, the reason and the
/// cause.
public struct DataStoreError: Error, Sendable {
    /// The kind of failure. Later versions may add some.
    @nonexhaustive
    public enum Code: Hashable, Sendable {
        /// A collection name or id is invalid. Nothing was changed.
        case invalidKey
        /// A record exceeds a limit. Nothing was changed.
        case invalidRecord
        /// A query is inconsistent, e.g. it has a cursor of another sort.
        case invalidQuery
        /// Another record has the same value of a unique index. Nothing was changed.
        case notUnique
        /// A unique index is incomplete and cannot check the write. Nothing was changed; the index must be rebuilt.
        case indexNotReady
        /// The program does not declare a breaking migration of the store, or declares the applied ones in another order.
        /// Nothing was changed; update the program.
        case unknownMigration
        /// A migration that the program declares is not complete. Nothing was changed; migrate the store and retry.
        case migrationPending
        /// A migration failed for a record. Its batch was left out, and earlier ones are kept.
        case migrationFailed
        /// Something other than a store is at the path. It was left unchanged.
        case notAStore
        /// Stored bytes have changed since they were written. They were left unchanged.
        case corrupted
        /// A newer program wrote the store in a format that this one does not know. It was left unchanged.
        case formatTooNew
        /// A resource is used up: disk, quota, memory, file descriptors, threads, or a limit of the store. Nothing was
        /// changed.
        case full
        /// The store is read-only.
        case readOnly
        /// Another process holds a lock; retry.
        case busy
        /// The file system lacks features that the guarantees of a store require.
        case unsupportedFileSystem
        /// The store was closed.
        case closed
        /// The program uses the library incorrectly, e.g. it declares a collection twice or uses an entity type that
        /// it does not declare. Nothing was changed; correct the program.
        case misuse
        /// A call of the operating system failed; ``DataStoreError/reason`` states its error.
        case inputOutput
    }

    /// The kind of failure.
    public let code: Code

    /// The reason, as the end of a sentence.
    public let reason: String

    /// The operation, e.g. `save a record`.
    public private(set) var operation: String?

    /// Whether the operation and the path are those of a store.
    private var isOfStore = false

    /// The key, as `collection/id`.
    public private(set) var key: String?

    /// The file or directory.
    public private(set) var path: String?

    /// The error number of the operating system, if there is one.
    package let errno: Int32?

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

    /// Returns the error of an operation on a store, from the error of one of the store's files. The same failure then
    /// reads the same, whatever the files of the store are.
    ///
    /// - Parameters:
    ///   - operation: The operation on the store, e.g. `open the store`.
    ///   - path: The path of the store.
    /// - Returns: The error.
    package func ofStore(_ operation: String, path: String) -> DataStoreError {
        guard !isOfStore else { return self }
        let file = self.path.map { $0 == path ? "" : "\($0.escapingControlCharacters): " } ?? ""
        // The error of a system call stays the cause, because it names the call.
        var error = DataStoreError(
            code, file + reason, operation: operation, path: path, errno: errno,
            underlying: errno == nil ? underlying : self)
        error.key = key
        error.isOfStore = true
        return error
    }

    static func invalidKey(_ collection: String, _ id: String, _ reason: String) -> DataStoreError {
        var error = DataStoreError(.invalidKey, reason, operation: "create a key")
        let escaped = "\(collection)/\(id)".escapingControlCharacters
        error.key = escaped.count > 80 ? "\(escaped.prefix(80))…" : escaped
        return error
    }

    package static func invalidRecord(_ reason: String) -> DataStoreError { DataStoreError(.invalidRecord, reason) }
}

extension DataStoreError: CustomStringConvertible {
    /// One sentence: operation, key, path and reason.
    public var description: String {
        var text = operation.map { "could not \($0)" } ?? "could not use the store"
        if let key { text += " (key \(key))" }
        if let path { text += " at \(path.escapingControlCharacters)" }
        return "\(text): \(reason)"
    }
}
