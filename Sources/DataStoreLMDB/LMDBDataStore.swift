public import DataStoreCore
import Synchronization

/// A store in an LMDB environment: a directory with `data.mdb` and `lock.mdb`.
///
/// Reads run on the calling thread and never wait; writes run on one thread of the store's own and share commits.
/// Several processes, and several stores in one process, may use the same directory at once. Do not copy or read the
/// directory by other means while it is in use.
///
/// Under a key stands one byte of version, a CRC-32C of key and record, and the record as deterministic CBOR (RFC 8949,
/// section 4.2.1). The file system must be a local one.
public final class LMDBDataStore: DataStore {
    /// The size that a store may grow to where nothing else is said: 64 GiB. It is address space, not disk: the file is
    /// as large as what is in it.
    public static let defaultMaximumByteCount = 64 << 30

    /// The directory.
    public let path: String

    private let environment: Environment
    private let isClosed = Atomic(false)

    /// Opens the store in a directory; where there is none, it is made.
    ///
    /// - Parameters:
    ///   - path: the directory.
    ///   - maximumByteCount: the size that the data file may grow to. Within a process the first one to open a directory
    ///     decides.
    /// - Throws: `DataStoreError`: `notAStore` where something else is at the path, `formatTooNew`, `corrupted`,
    ///   `inputOutput`.
    public init(
        path: String, maximumByteCount: Int = LMDBDataStore.defaultMaximumByteCount
    ) throws(DataStoreError) {
        self.path = path
        environment = try EnvironmentRegistry.shared.open(path, maximumByteCount: maximumByteCount)
    }

    deinit {
        if close(isClosed) { EnvironmentRegistry.shared.release(environment) {} }
    }

    /// Runs a closure on one snapshot of the store, on the calling thread.
    public func read<Result: Sendable>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result {
        try checkOpen()
        return try environment.read(body)
    }

    /// Runs a closure that changes the store on the store's thread, and returns when the change is durable.
    public func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        try checkOpen()
        return try await environment.write(body)
    }

    /// Waits for reads and writes under way, unless another store of this process has the same directory open, and lets
    /// go of it.
    public func close() async {
        guard close(isClosed) else { return }
        await withCheckedContinuation { continuation in
            EnvironmentRegistry.shared.release(environment) { continuation.resume() }
        }
    }

    /// Marks the store as closed, and says whether it was open.
    private func close(_ flag: borrowing Atomic<Bool>) -> Bool {
        !flag.exchange(true, ordering: .sequentiallyConsistent)
    }

    private func checkOpen() throws(DataStoreError) {
        if isClosed.load(ordering: .acquiring) { throw .closed(path: path) }
    }
}
