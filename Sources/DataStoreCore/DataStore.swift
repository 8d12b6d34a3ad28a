/// A store of records under keys: the port between repositories and storage.
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
/// Every store keeps these rules, and the suite in `DataStoreTesting` tests them:
///
/// - **Keys.** A collection name and an id, both non-empty UTF-8 without NUL, together at most 480 bytes. Anything else
///   is ``DataStoreError/Code/invalidKey``.
/// - **Records.** A record reads back equal, also after the store was reopened: any Unicode text, all of `Int64`,
///   infinities and NaN, dates to the nanosecond, data up to 64 MiB, nesting up to 64 levels. A record that exceeds a
///   limit is ``DataStoreError/Code/invalidRecord`` and changes nothing.
/// - **Missing keys.** Reading one returns `nil`. Removing one is no error and reports that the key did not exist.
/// - **Order.** A scan visits the records of a collection in unsigned byte order of their ids.
/// - **Reads.** A read sees one snapshot for its whole duration. It never blocks a write and never sees part of one.
/// - **Writes.** Writes are serializable and atomic. A closure that throws leaves no change, whatever else was
///   committed with it.
/// - **Durability.** When `write` returns, the change survives `kill -9` and, as far as the operating system keeps its
///   promises, power loss. (The memory store lives as long as its process.)
/// - **Processes.** Several processes can use one store concurrently; no update is lost. Waiting for another process is
///   bounded and ends in ``DataStoreError/Code/busy``.
/// - **Changes.** ``updates(of:)`` and ``updates(in:)`` report commits of this and of other processes. The newest state
///   always arrives, and never an older one after it. Intermediate states may be merged.
/// - **Cancellation.** A write of a cancelled task either did not happen, and `write` throws `CancellationError`, or
///   happened completely.
/// - **Corruption.** Bytes that differ from what was written are ``DataStoreError/Code/corrupted`` with the key. They
///   never become a default value or an empty store, and are never overwritten silently.
/// - **Format.** A store carries its format version. A newer one is ``DataStoreError/Code/formatTooNew`` and left
///   untouched.
/// - **Files.** Files are created with mode 0600, directories with 0700, exclusively and without following links. A
///   store is never created where something else exists, and only regular files of its own are opened for writing.
/// - **Closing.** `close` waits for pending writes; a running read continues undisturbed. Later calls throw
///   ``DataStoreError/Code/closed``.
public protocol DataStore: Sendable {
    /// Runs a closure on one snapshot of the store.
    ///
    /// A store that waits for a disk or a server may run the closure on a thread of its own, so it is `@Sendable`.
    ///
    /// - Parameter body: reads what it needs and returns the result. The transaction cannot be used after the closure
    ///   returns.
    /// - Returns: the result of the closure.
    /// - Throws: what the closure throws, or a ``DataStoreError`` if there is no snapshot.
    func read<Result: Sendable>(_ body: @Sendable (borrowing ReadTransaction) throws -> Result) async throws -> Result

    /// Runs a closure that changes the store, and returns when the change is durable.
    ///
    /// - Parameter body: reads and changes what it needs. A store may run it more than once, e.g. after its map grew;
    ///   only the last run counts, so the closure must have no other effect than its writes.
    /// - Returns: the result of the closure.
    /// - Throws: what the closure throws; a ``DataStoreError`` if the change could not be made durable;
    ///   `CancellationError` if the task was cancelled before the closure ran. After each of them the store is
    ///   unchanged.
    func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result

    /// Returns a number that differs after each commit that changed something, of whichever process. It need not grow.
    ///
    /// - Throws: ``DataStoreError``.
    func generation() async throws -> UInt64

    /// Calls `wake` whenever something in a scope may be new: after each commit that may have changed it, of whichever
    /// process, when the store starts or stops failing, and when it closes.
    ///
    /// `wake` carries no payload; the observer calls ``generation()`` and reads. It may be called too often, or once
    /// for several commits, but is called for each commit after this function returned.
    ///
    /// The default implementation polls the generation twenty times a second. Stores use ``ChangeObservers`` instead; a
    /// store that wraps another one forwards the call. (Implement it as `async` even if nothing is awaited: otherwise a
    /// call on the concrete type prefers the default implementation.)
    ///
    /// - Parameters:
    ///   - scope: the records to observe.
    ///   - wake: called on any thread, often the committer's; it must not block.
    /// - Returns: the observation, which ends when it is released.
    /// - Throws: ``DataStoreError`` if the store cannot be observed.
    func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable () -> Void
    ) async throws(DataStoreError) -> ChangeObservation

    /// Waits for pending writes and closes the store. Closing again does nothing.
    func close() async
}
