// The declarations of this target use this module. Its re-export serves the files here and the programs that import
// the target.
@_exported public import DataStoreCore
import DataStoreSystem

/// A data store in a schema of a PostgreSQL database, for programs on several machines.
///
/// ```swift
/// let store = try await PostgresDataStore("postgres://user@host/db?schema=profiles")
/// try await store.write { try $0.put(["mailAddress": .string("vision@example.com")], for: key) }
/// ```
///
/// The store has tables of its own in the schema. The first write creates them. Any number of programs can use a store
/// at once, with PostgreSQL 15 or newer.
///
/// The pending writes of a store, at most 256, share one `SERIALIZABLE` transaction. If it conflicts with another
/// program, the closures of the writes run again. Each read sees one snapshot (`REPEATABLE READ`). libpq waits for the
/// server on threads of the store, so a slow server does not block the cooperative thread pool.
///
/// If the server is replaced by its standby, the store connects to the new primary server. Name both hosts in the URI:
/// `postgres://user@host1,host2/db`. If the connection is lost during a commit, the store connects again and determines
/// whether the transaction was committed.
public final class PostgresDataStore: DataStore, HidesRecords {
    /// The connection URI of the store with the schema. It contains no password.
    public let path: String

    private let connections: Connections
    private let readers: ReaderPool
    private let writer: WriterThread
    private let observers = ChangeObservers()

    /// Connects to a server, and opens the store in a schema. If the store does not exist, the first write creates it.
    ///
    /// A password comes from a password file (`PGPASSFILE`) or a service file, as for every program that uses libpq.
    ///
    /// - Parameters:
    ///   - uri: A connection URI of libpq. Its additional parameter `schema` names the schema, which is `profiles` by
    ///     default. The URI must not contain a password, because it is logged.
    ///   - options: The limits of the store.
    /// - Throws: `DataStoreError` with one of these codes:
    ///   - `notAStore` if the text is not a connection URI or contains a password, if the database does not exist, if
    ///     the schema contains the tables of another program, or if the server does not support serializable
    ///     transactions or is older than PostgreSQL 15.
    ///   - `unsupportedFormat` if a newer program wrote the store.
    ///   - `corrupted` if the format version in the store is invalid.
    ///   - `readOnly` if the server is a standby server, or the user may not read the tables.
    ///   - `unavailable` if the server cannot be reached or rejects the user.
    ///   - `full` if the server has too many connections.
    public init(_ uri: String, options: Options = Options()) async throws {
        let connections = Connections(try ConnectionTarget(uri), options)
        self.connections = connections
        path = connections.target.description
        readers = ReaderPool(connections)
        writer = WriterThread(timeout: options.timeout) { [observers] in
            GroupCommit(ServerLink(connections, isWriting: true), observers)
        }
        do {
            _ = try await exists()
        } catch let error as DataStoreError {
            throw error.ofStore("open the store", path: path)
        }
    }

    deinit {
        readers.close()
        writer.end()
        connections.close()
        observers.close()
    }

    /// Returns whether the tables of the store exist, after one attempt to connect.
    func exists() async throws -> Bool { try await readers.run { try $0.exists(until: $1) } }

    /// Runs a closure on one snapshot of the store, on a thread of the store, and returns the result of the closure. If
    /// nothing has been saved yet, the snapshot is empty.
    public func read<Result: Sendable>(
        _ body: @Sendable (borrowing ReadTransaction) throws -> Result
    ) async throws -> Result {
        try await reading { try $0.read(until: $1, body) }
    }

    /// Runs a closure like ``read(_:)``, and requests the record of `key` before the closure runs.
    public func read<Result: Sendable>(
        prefetching key: Key, _ body: @Sendable (borrowing ReadTransaction) throws -> Result
    ) async throws -> Result {
        try await reading(prefetching: key) { try $0.read(until: $1, body) }
    }

    private func reading<Result: Sendable>(
        prefetching key: Key? = nil, _ body: @Sendable (ServerLink, ContinuousClock.Instant) throws -> Result
    ) async throws -> Result {
        try await DataStoreError.adding(operation: "read the store", path: path) {
            try await readers.run(prefetching: key, body)
        }
    }

    /// Runs a closure that changes the store on the writer thread, and returns its result after the commit.
    ///
    /// - Throws: The error of the closure, or `DataStoreError`. The code is `outcomeUnknown` if the connection was lost
    ///   during the commit, and its outcome could not be determined. With any other error, the store is unchanged.
    public func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        try await DataStoreError.adding(operation: "write to the store", path: path) {
            try await writer.write(body)
        }
    }

    /// Returns the number of commits that have changed a record, or 0 if nothing has been saved yet.
    public func generation() async throws -> UInt64 { try await reading { try $0.generation(until: $1) } }

    /// Calls `wake` after each commit that may have changed a record in the scope. While observers exist, the store
    /// queries the server twenty times a second.
    ///
    /// - Returns: The observation, which ends when its last reference is released.
    public func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable (ChangedKeys) -> Void
    ) async throws(DataStoreError) -> ChangeObservation {
        // Any commit after this point causes a call of `wake`, because the first poll is compared with this state.
        let state = { @Sendable [readers] in
            await PolledState { try await readers.run { try $0.generation(until: $1) } }
        }
        let first = await state()
        return try observers.add(scope, wake) {
            ChangeObservation(polling: state, from: first) { [weak observers] in observers?.wake(nil) }
        }
    }

    /// Waits for pending reads and writes, and closes the store.
    public func close() async {
        readers.close()
        await withCheckedContinuation { continuation in writer.end { continuation.resume() } }
        await withCheckedContinuation { continuation in readers.close { continuation.resume() } }
        connections.close()
        observers.close()
    }
}

extension PostgresDataStore: ImmediateDataStore {
    @usableFromInline package var waitsForServer: Bool { true }

    /// Runs a closure on one snapshot of the store, on the current thread. Call the function only on a thread
    /// that may block.
    @usableFromInline
    package func read<Result: Sendable>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result {
        do {
            return try ServerLink(connections).read(until: .now + connections.options.timeout, body)
        } catch let error as DataStoreError {
            throw error.adding(operation: "read the store", path: path)
        }
    }
}
