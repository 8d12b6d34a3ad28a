/// A store of records, each under a key. Repositories use a store through this protocol.
///
/// ```swift
/// let key = try Key(collection: "users", id: "me")
/// try await store.write { transaction in
///     var record = try transaction.record(for: key) ?? Record()
///     record["mailAddress"] = .string("vision@example.com")
///     try transaction.put(record, for: key)
/// }
/// ```
///
/// ## The contract
///
/// Every store follows these rules, and the suite in `DataStoreTesting` tests them:
///
/// - **Keys.** A key consists of a collection name and an id. Both are non-empty UTF-8 without NUL, together at most
///   480 bytes. Any other key is rejected with ``DataStoreError/Code/invalidKey``.
/// - **Records.** A stored record is read back equal, even after the store has been reopened. It may contain any
///   Unicode text, any `Int64`, infinities and NaN, dates to the nanosecond, data up to 64 MiB, and nesting up to 64
///   levels. A record that exceeds a limit is rejected with ``DataStoreError/Code/invalidRecord`` and changes nothing.
/// - **Missing keys.** Reading a missing key returns `nil`. Removing a missing key is not an error and returns `false`.
/// - **Order.** A scan visits the records of a collection in the order of the UTF-8 bytes of their ids.
/// - **Reads.** A read sees one snapshot for its whole duration. It never blocks a write and never sees part of a
///   write.
/// - **Writes.** Writes are serializable and atomic. If a closure throws, none of its changes are committed, even if
///   other writes share the commit.
/// - **Durability.** When `write` returns, the change survives `kill -9`. It also survives power loss if the operating
///   system and the disk honor requests to flush data. The memory store is an exception: it lives as long as its
///   process.
/// - **Processes.** Several processes can use one store concurrently, and no update is lost. The time for which a call
///   waits for another process is limited. After this time, the call throws ``DataStoreError/Code/busy``. The stores of
///   this package limit the time for which a write waits for the closure of another write, too.
/// - **Changes.** ``updates(of:)`` and ``updates(in:)`` report commits of this process and of others. The newest state
///   always arrives, and no older state follows it. Intermediate states may be skipped.
/// - **Cancellation.** If the task of a write is cancelled, the write either completes, or it changes nothing and
///   throws `CancellationError`. In the stores of this package, a write whose closure has not begun throws at once.
/// - **Corruption.** If the bytes of a record are damaged, reading it throws ``DataStoreError/Code/corrupted`` with the
///   key. A store never substitutes a default value or an empty store, and never overwrites damaged bytes silently.
/// - **Format.** A store records the version of its format. A store with a newer version is rejected with
///   ``DataStoreError/Code/unsupportedFormat`` and left unchanged.
/// - **Files.** Files are created with mode 0600, directories with 0700, exclusively and without following links. A
///   store is never created where something else exists, and opens only its own regular files for writing.
/// - **Closing.** `close` waits for pending writes, and running reads continue undisturbed. Later calls throw
///   ``DataStoreError/Code/closed``.
public protocol DataStore: Sendable {
    /// Runs a closure on one snapshot of the store.
    ///
    /// The closure is `@Sendable`, because a store that waits for a disk or a server may run it on another thread.
    ///
    /// - Parameter body: A closure that reads from the transaction and returns a result. The transaction is valid only
    ///   until the closure returns.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure, or a ``DataStoreError`` if the store cannot provide a snapshot.
    func read<Result: Sendable>(_ body: @Sendable (borrowing ReadTransaction) throws -> Result) async throws -> Result

    /// Runs a closure like ``read(_:)``. The closure probably begins by reading the record of `key`.
    ///
    /// A store on a server requests the record before it runs the closure, so that the server does not wait for the
    /// thread of the closure. The default implementation ignores the key.
    ///
    /// - Parameters:
    ///   - key: The key of the record that the closure reads first.
    ///   - body: A closure that reads from the transaction and returns a result. It may read other records, too.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure, or a ``DataStoreError`` if the store cannot provide a snapshot.
    func read<Result: Sendable>(
        prefetching key: Key, _ body: @Sendable (borrowing ReadTransaction) throws -> Result
    ) async throws -> Result

    /// Runs a closure that changes the store, and returns when the change is durable.
    ///
    /// - Parameter body: A closure that reads and changes records. A store may run it more than once, e.g. after its
    ///   memory map grew, and commits only the last run. The closure must therefore have no other side effect. A write
    ///   to the same store that it starts fails with ``DataStoreError/Code/misuse``. It must not wait for a write that
    ///   another task has started: both may be part of one commit, which takes place when all closures have returned.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure, `CancellationError` if the task was cancelled before the closure ran, or a
    ///   ``DataStoreError`` if the change could not be made durable. After an error, the store is unchanged, with two
    ///   exceptions. If only the last flush to the disk failed, the change is visible, but may be lost in a power
    ///   failure. If a store on a server cannot determine whether the server committed, it throws
    ///   ``DataStoreError/Code/outcomeUnknown``.
    func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result

    /// Returns a number that is different after each commit that changes a record, whichever process commits. The
    /// number need not increase.
    ///
    /// - Throws: ``DataStoreError`` if the store is closed or cannot be read.
    func generation() async throws -> UInt64

    /// Observes a part of the store. Calls `wake` after each commit of any process that may have changed a record in
    /// the scope.
    ///
    /// `wake` receives the keys that the commit may have changed, or ``ChangedKeys/everything`` if the store does not
    /// know them, e.g. after a commit of another process. The keys of all calls together include each changed key in
    /// the scope. The observer reads the new records itself.
    ///
    /// `wake` is also called when the store starts or stops failing, and when it closes. One call may stand for several
    /// commits, and a call may be spurious. After this function has returned, each commit is followed by at least one
    /// call.
    ///
    /// A store that detects each commit uses ``ChangeObservers``, and a store that wraps another one forwards the call.
    /// Any other store calls ``observeByPolling(_:)``.
    ///
    /// - Parameters:
    ///   - scope: The records to observe.
    ///   - wake: A closure that is called on any thread, often the thread of the committer. It must not block.
    /// - Returns: The observation, which ends when its last reference is released.
    /// - Throws: ``DataStoreError`` if the store cannot be observed.
    func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable (ChangedKeys) -> Void
    ) async throws(DataStoreError) -> ChangeObservation

    /// Waits for pending writes and closes the store. Closing a closed store does nothing.
    func close() async
}

extension DataStore {
    /// Runs a closure like ``read(_:)``. This is the default implementation, which ignores the key.
    public func read<Result: Sendable>(
        prefetching key: Key, _ body: @Sendable (borrowing ReadTransaction) throws -> Result
    ) async throws -> Result {
        try await read(body)
    }

    /// Returns the record of a key.
    ///
    /// - Parameter key: The key of the record.
    /// - Returns: The record, or `nil` if the key does not exist.
    /// - Throws: ``DataStoreError`` if the store or the record cannot be read.
    public func record(for key: Key) async throws -> Record? {
        try await read(prefetching: key) { try $0.record(for: key) }
    }
}

extension DataStore {
    /// Runs a closure on the store, and then closes the store even if the closure throws.
    package func closing<Result>(after body: (Self) async throws -> Result) async throws -> Result {
        let result: Result
        do {
            result = try await body(self)
        } catch {
            await close()
            throw error
        }
        await close()
        return result
    }
}

/// A type whose description and reflection consist of its name, because its properties contain records or keys.
///
/// Otherwise a program that logs an instance would log personal data.
package protocol HidesRecords: CustomStringConvertible, CustomReflectable {}

extension HidesRecords {
    /// The name of the type, without data.
    public var description: String { "\(Self.self)" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A ``DataStore`` that can be read without suspending, on the calling thread.
///
/// Synchronous code, e.g. the closure of a write to another store, can only read such a store. Asynchronous code reads
/// it faster, because an asynchronous call through an existential costs as many instructions as finding a record.
@usableFromInline
package protocol ImmediateDataStore: DataStore, AnyObject {
    /// Whether a read waits for a server. Asynchronous code then calls the asynchronous `read` instead, which does not
    /// block the calling thread.
    var waitsForServer: Bool { get }

    /// Runs a closure on one snapshot of the store, on the calling thread, and returns the result of the closure.
    ///
    /// - Throws: The error of the closure, or `DataStoreError` if the store cannot provide a snapshot. If its cause is
    ///   ``NeedsSuspension``, call the asynchronous `read`.
    func read<Result: Sendable>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result
}

/// The cause of an error of a read that can succeed only if it suspends first, e.g. to load a key.
package protocol NeedsSuspension: Error {}

extension Error {
    /// Whether the read that threw this error can succeed if it suspends.
    @usableFromInline package var needsSuspension: Bool { (self as? DataStoreError)?.underlying is any NeedsSuspension }
}

extension DataStore {
    /// The store itself if its reads neither suspend nor wait for a server, otherwise `nil`.
    package var immediate: (any ImmediateDataStore)? {
        guard let store = self as? any ImmediateDataStore, !store.waitsForServer else { return nil }
        return store
    }
}

extension ImmediateDataStore {
    @usableFromInline package var waitsForServer: Bool { false }

    /// Calls the synchronous `read` of this protocol. In an asynchronous function, the name `read` would refer to the
    /// asynchronous requirement of ``DataStore``.
    @inlinable @inline(__always)
    package func readImmediately<Result: Sendable>(
        _ body: (borrowing ReadTransaction) throws -> Result
    ) throws -> Result {
        try read(body)
    }
}

/// A data store that adds something to the transactions of another store. Everything else is forwarded.
package protocol WrappingDataStore: DataStore {
    var base: any DataStore { get }
}

extension WrappingDataStore {
    package func generation() async throws -> UInt64 { try await base.generation() }

    package func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable (ChangedKeys) -> Void
    ) async throws(DataStoreError) -> ChangeObservation {
        try await base.observe(scope, wake)
    }

    package func close() async { await base.close() }
}
