/// A store of records under keys: the port between repositories and what keeps the data.
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
/// - **Keys.** A collection name and an id, both non-empty UTF-8 without NUL, together at most 480 bytes. Anything else is
///   ``DataStoreError/Code/invalidKey``.
/// - **Records.** A record reads back equal, also after the store was reopened: any Unicode text, all of `Int64`, infinities and
///   NaN, dates to the nanosecond, data up to 64 MiB, nesting up to 64 levels. A record that exceeds a limit is
///   ``DataStoreError/Code/invalidRecord`` and changes nothing.
/// - **Missing keys.** Reading one returns `nil`. Removing one is no error and reports that the key did not exist.
/// - **Order.** A scan visits the records of a collection in unsigned byte order of their ids.
/// - **Reads.** A read sees one snapshot for its whole duration. It never blocks a write and never sees part of one.
/// - **Writes.** Writes are serializable and atomic. A closure that throws leaves no change, whatever else was committed with it.
/// - **Durability.** When `write` returns, the change survives `kill -9` and, as far as the operating system keeps its promises,
///   power loss. (The memory store lives as long as its process.)
/// - **Processes.** Several processes can use one store concurrently; no update is lost. Waiting for another process is bounded
///   and ends in ``DataStoreError/Code/busy``.
/// - **Changes.** ``updates(of:)`` and ``updates(in:)`` report commits of this and of other processes. The newest state always
///   arrives, and never an older one after it. Intermediate states may be merged.
/// - **Cancellation.** A write of a cancelled task either did not happen, and `write` throws `CancellationError`, or happened
///   completely.
/// - **Corruption.** Bytes that differ from what was written are ``DataStoreError/Code/corrupted`` with the key. They never become
///   a default value or an empty store, and are never overwritten silently.
/// - **Format.** A store carries its format version. A newer one is ``DataStoreError/Code/formatTooNew`` and left untouched.
/// - **Files.** Files are created with mode 0600, directories with 0700, exclusively and without following links. A store is
///   never created where something else exists, and only regular files of its own are opened for writing.
/// - **Closing.** `close` waits for pending writes; a running read continues undisturbed. Later calls throw
///   ``DataStoreError/Code/closed``.
public protocol DataStore: Sendable {
    /// Runs a closure on one snapshot of the store.
    ///
    /// - Parameter body: reads what it needs. The transaction cannot be kept beyond the closure.
    /// - Returns: what the closure returned.
    /// - Throws: what the closure threw, or a ``DataStoreError`` where no snapshot could be had.
    func read<Result: Sendable>(_ body: (borrowing ReadTransaction) throws -> Result) async throws -> Result

    /// Runs a closure that changes the store, and makes the change durable before it returns.
    ///
    /// - Parameter body: reads and changes what it needs. A store may run it more than once (a commit that had to be
    ///   split, a map that had to grow); only the last run counts, so it must have no other effect than its writes.
    /// - Returns: what the closure returned.
    /// - Throws: what the closure threw; a ``DataStoreError`` where the change could not be made durable;
    ///   `CancellationError` where the task was cancelled before the closure ran. After each of them nothing is
    ///   changed.
    func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result

    /// A number that is another one after each commit that changed something, of whichever process. It need not grow.
    ///
    /// - Returns: the number.
    /// - Throws: ``DataStoreError``.
    func generation() async throws -> UInt64

    /// Begins to wake somebody whenever there may be something new in a scope: after each commit that may have changed
    /// something in it, of whichever process, when the store gets into trouble or out of it, and when it closes.
    ///
    /// It is a call and no message: who is called asks for the ``generation()`` and reads. It may come once too often, and once
    /// for several commits, but never not at all for a commit that was not there yet when this function returned. Of the
    /// commits of this store's own writes only those call that concern the scope.
    ///
    /// Unless a store implements it, by ``ChangeObservers``, the generation is asked for twenty times a second while somebody
    /// observes. A store that wraps another one hands it on. (Implement it as `async`, also where nothing is awaited: a call on
    /// the type itself would rather take the general one.)
    ///
    /// - Parameters:
    ///   - scope: of what there is to be told.
    ///   - wake: is called on any thread, often by who commits, and must not wait for anything.
    /// - Returns: the observation: it lasts as long as somebody holds it.
    /// - Throws: ``DataStoreError`` where the store cannot be observed.
    func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable () -> Void
    ) async throws(DataStoreError) -> ChangeObservation

    /// Waits for writes under way and lets go of the store. Closing again does nothing.
    func close() async
}
