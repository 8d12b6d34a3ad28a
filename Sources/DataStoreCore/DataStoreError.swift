/// The error that a ``DataStore`` throws. Its ``code`` says how to react; it also has the operation, the key or path,
/// the reason and the cause.
///
/// ```swift
/// do {
///     try await store.write { try $0.put(record, for: key) }
/// } catch let error as DataStoreError where error.code == .full {
///     print("free some space: \(error)")
/// }
/// ```
public struct DataStoreError: Error, Sendable {
    /// The kind of a failure, by which a caller decides how to react. Later versions may add cases.
    ///
    /// ```swift
    /// switch error.code {
    /// case .busy, .unavailable: retryLater()
    /// case .full: report("Free some space.")
    /// default: report("\(error)")
    /// }
    /// ```
    @nonexhaustive
    public enum Code: Hashable, Sendable {
        /// A collection name or an id is invalid. Nothing was changed.
        case invalidKey
        /// A record exceeds a limit of ``Record``. Nothing was changed.
        case invalidRecord
        /// A query is inconsistent, e.g. it names an unknown field, or its cursor belongs to a query with different
        /// sorts.
        case invalidQuery
        /// Another record has the same value in a unique index. Nothing was changed.
        case notUnique
        /// A record would refer to a record that does not exist. Nothing was changed. ``DataStoreError/conflict`` names
        /// the other record.
        case brokenReference
        /// An index is incomplete and cannot check the write. Nothing was changed. Rebuild the index.
        case indexNotReady
        /// The program does not declare a breaking migration that was applied to the store, or declares the migrations
        /// in a different order. Nothing was changed. Update the program.
        case unknownMigration
        /// A migration that the program declares is not complete. Nothing was changed. Migrate the store and retry.
        case migrationPending
        /// A migration failed for a record. The batch with this record was aborted, and earlier batches stay applied.
        case migrationFailed
        /// No store exists at the path. Nothing was created.
        case noStore
        /// Something other than a store exists at the path, or a store cannot be created there. It was left unchanged.
        case notAStore
        /// Stored bytes are damaged. The store has neither repaired nor overwritten them.
        case corrupted
        /// Another program wrote the store in a format that this program does not support. Nothing was changed.
        case unsupportedFormat
        /// A resource is used up: disk, quota, memory, file descriptors, threads, or a limit of the store. Nothing was
        /// changed.
        case full
        /// The store or its file system is read-only.
        case readOnly
        /// Another process holds a lock. Retry later.
        case busy
        /// The kind of store does not support the operation. Nothing was changed.
        case unsupported
        /// The file system lacks a feature, e.g. locks, that the guarantees of the store require.
        case unsupportedFileSystem
        /// A server does not respond, or rejects the user. Retry later.
        case unavailable
        /// The connection to a server was lost during a commit, and the store could not determine in time whether the
        /// server committed. Read the records before you retry.
        case outcomeUnknown
        /// The program does not have the key that opens the sealed fields of the store. Nothing was changed. Provide
        /// the key.
        case missingSealingKey
        /// The key of the program is not the one that opens the sealed fields of the store, or is no key at all.
        /// Nothing was changed. Provide the right key.
        case wrongSealingKey
        /// The program cannot get its key at the moment, e.g. because the device is locked. Nothing was changed. Retry
        /// later.
        case sealingKeyUnavailable
        /// The store was closed.
        case closed
        /// The program uses the library incorrectly, e.g. it declares a collection twice or uses an undeclared entity
        /// type. Nothing was changed. Correct the program.
        case misuse
        /// An operation on a file or on a server failed. ``DataStoreError/reason`` states the cause.
        case inputOutput
    }

    /// The kind of the failure.
    public let code: Code

    /// The reason as a clause that ends the error message, e.g. `no space is left`.
    public private(set) var reason: String

    /// The failed operation, e.g. `save a record`, or `nil` if it is unknown.
    public private(set) var operation: String?

    /// Whether the operation and the path refer to a store and not to one of its files.
    private var isOfStore = false

    /// The key of the affected record in the form `collection/id`, or `nil` if the failure concerns no single record.
    public private(set) var key: String?

    /// The path of the affected store, file or directory, or `nil` if the error concerns no path.
    public private(set) var path: String?

    /// The other record because of which the write was rejected: the record that has the same value in a unique index,
    /// or the other end of a reference. It is `nil` if the error has another cause.
    public package(set) var conflict: Conflict?

    /// The incomplete index, if the code is ``Code/indexNotReady``. If the error has a cause, two records have equal
    /// values, and rebuilding the index fails.
    package private(set) var index: (collection: String, name: String)?

    /// The error number of the operating system, or `nil` if no system call failed.
    package let errno: Int32?

    /// The error that caused this one, or `nil` if there is no other cause.
    public private(set) var underlying: (any Error)?

    /// Creates an error. Each parameter sets the property with the same name.
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

    /// Returns a copy of the error with an operation, a key and a path. An argument is ignored if the error already has
    /// a value for it.
    @usableFromInline
    package func adding(operation: String? = nil, key: Key? = nil, path: String? = nil) -> DataStoreError {
        var error = self
        error.operation = self.operation ?? operation
        error.key = self.key ?? key?.description
        error.path = self.path ?? path
        return error
    }

    /// Runs a closure, and adds the operation and the path of a store to its error.
    package static func adding<Result>(
        operation: String, path: String, _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch let error as DataStoreError {
            throw error.adding(operation: operation, path: path)
        }
    }

    /// Converts an error about a file of a store to an error about an operation on the store.
    ///
    /// The returned error contains the operation and the path of the store. If this error has a different path, the
    /// reason of the returned error begins with that path.
    ///
    /// - Parameters:
    ///   - operation: The operation on the store, e.g. `open the store`.
    ///   - path: The path of the store.
    /// - Returns: The converted error, or this error if it has already been converted.
    package func ofStore(_ operation: String, path: String) -> DataStoreError {
        guard !isOfStore else { return self }
        let file = self.path.map { $0 == path ? "" : "\($0.escapingControlCharacters): " } ?? ""
        var error = self
        error.reason = file + reason
        (error.operation, error.path, error.isOfStore) = (operation, path, true)
        // If a system call failed, this error becomes the cause of the new one, because it names the failed operation.
        if errno != nil { error.underlying = self }
        return error
    }

    static func invalidKey(_ collection: String, _ id: String, _ reason: String) -> DataStoreError {
        var error = DataStoreError(.invalidKey, reason, operation: "create a key")
        let escaped = "\(collection.escapedForMessage)/\(id.escapedForMessage)"
        error.key = escaped.count > 80 ? "\(escaped.prefix(80))…" : escaped
        return error
    }

    package static func invalidRecord(_ reason: String) -> DataStoreError { DataStoreError(.invalidRecord, reason) }
}

extension DataStoreError: CustomStringConvertible {
    /// One sentence that states the operation, the key, the path and the reason.
    public var description: String {
        var text = operation.map { "could not \($0)" } ?? "could not use the store"
        if let key { text += " (key \(key))" }
        if let path { text += " at \(path.escapingControlCharacters)" }
        return "\(text): \(reason)"
    }
}

extension DataStoreError {
    /// A record that conflicts with the written one: it has the same values of the fields of a unique index, or one of
    /// the two refers to the other.
    ///
    /// ```swift
    /// catch let error as DataStoreError where error.code == .notUnique {
    ///     print("taken by", error.conflict?.id ?? "another record")
    /// }
    /// ```
    public struct Conflict: Hashable, Sendable {
        /// The name of the collection.
        public let collection: String

        /// The id of the record.
        public let id: String

        /// The fields of the unique index, e.g. `["year", "number"]`, or the field of the reference.
        public let fields: [String]

        /// A sentence about the unique index if the program does not declare it any more, or `nil`.
        let advice: String?

        package init(collection: String, id: String, fields: [String], advice: String? = nil) {
            self.collection = collection
            self.id = id
            self.fields = fields
            self.advice = advice
        }
    }

    /// Returns the error which states that another record has the same values of the fields of a unique index.
    ///
    /// - Parameters:
    ///   - fields: The fields of the index.
    ///   - other: The other record.
    ///   - advice: A sentence about the index if the program does not declare it any more, or `nil`.
    /// - Returns: The error, with the code `notUnique`.
    package static func notUnique(_ fields: [String], of other: Key, advice: String? = nil) -> DataStoreError {
        let what = fields.count == 1 ? "value of the unique field" : "values of the unique fields"
        var error = DataStoreError(
            .notUnique,
            "the record \(other) has the same \(what) \(fields.joined(separator: ", ")); change or remove it first"
                + (advice.map { "; \($0)" } ?? ""))
        error.conflict = Conflict(collection: other.collection, id: other.id, fields: fields, advice: advice)
        return error
    }

    /// Returns the error which states that an index is incomplete, so that it cannot check a write.
    ///
    /// - Parameters:
    ///   - name: The name of the index.
    ///   - collection: The collection of the index.
    ///   - cause: The error that names two records with equal values. If it is `nil`, rebuilding the index suffices.
    /// - Returns: The error, with the code `indexNotReady`.
    package static func indexNotReady(
        _ name: String, of collection: String, cause: DataStoreError? = nil
    ) -> DataStoreError {
        let index = "the index \(name) of \(collection) is incomplete"
        var error = DataStoreError(
            .indexNotReady,
            cause.map { "\(index) and cannot be rebuilt until a duplicate is removed: \($0)" }
                ?? "\(index); rebuild the indexes and retry", underlying: cause)
        error.index = (collection, name)
        return error
    }

    /// Returns a copy of the error in which the fields of the unique index have other names.
    package func renamingFields(_ name: (String) -> String) -> DataStoreError {
        guard let conflict else { return self }
        let other = Key(stored: conflict.id, in: conflict.collection)
        var error = DataStoreError.notUnique(conflict.fields.map(name), of: other, advice: conflict.advice)
        (error.operation, error.key, error.path) = (operation, key, path)
        return error
    }
}

// Failures that several kinds of stores have in common. Each failure has the same message in every store.
extension DataStoreError {
    /// Returns an error which states that something other than a store exists at a path.
    ///
    /// - Parameters:
    ///   - found: A description of the existing file, e.g. `a directory`.
    ///   - path: The path of the existing file, or `nil` if the caller adds it later.
    ///   - underlying: The error that caused this one, or `nil` if no other error did.
    /// - Returns: The error, with the code `notAStore`.
    package static func notAStore(
        _ found: String, path: String? = nil, underlying: (any Error)? = nil
    ) -> DataStoreError {
        DataStoreError(.notAStore, "not a store (\(found)); choose another path", path: path, underlying: underlying)
    }

    /// Returns an error which states that an operation requires an existing store, but none exists at the path.
    package static func missing(path: String? = nil) -> DataStoreError {
        DataStoreError(.noStore, "the store does not exist; check the path", path: path)
    }

    /// Returns an error which states that the path for a backup already exists.
    package static func exists(_ path: String) -> DataStoreError {
        DataStoreError(.notAStore, "\(path.escapingControlCharacters) already exists; choose a new path")
    }

    /// Returns an error which states that a store is damaged.
    ///
    /// - Parameters:
    ///   - damage: A description of the damage and its position.
    ///   - underlying: The error that caused this one, or `nil` if no other error did.
    /// - Returns: The error, with the code `corrupted`.
    package static func damaged(_ damage: String, underlying: (any Error)? = nil) -> DataStoreError {
        DataStoreError(
            .corrupted, "the store is damaged (\(damage)); run profile-cli store check, or restore a backup",
            underlying: underlying)
    }

    /// Returns an error which states that a store has a format that this program cannot read.
    ///
    /// - Parameters:
    ///   - version: The version of the store's format.
    ///   - known: The version that this program reads.
    /// - Returns: The error, with the code `unsupportedFormat`.
    package static func otherFormat(_ version: Int64, than known: Int64) -> DataStoreError {
        DataStoreError(
            .unsupportedFormat,
            "format version \(version) is not supported, only \(known); use the program that wrote the store")
    }

    /// Verifies the format version of a store.
    ///
    /// - Parameters:
    ///   - version: The version in the store, or `nil` if it is missing.
    ///   - known: The version that this program reads.
    /// - Throws: ``DataStoreError`` with the code `corrupted` if the version is invalid, or `unsupportedFormat` if it
    ///   is another one.
    package static func checkFormat(_ version: Int64?, known: Int64) throws(DataStoreError) {
        guard let version, version >= 1 else { throw damaged("the format version is invalid") }
        guard version == known else { throw otherFormat(version, than: known) }
    }

    /// Returns the error for the use of a store after `close()`.
    package static func closed() -> DataStoreError { DataStoreError(.closed, "the store is closed; open it again") }
}
