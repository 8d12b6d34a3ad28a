import DataStoreCore
import DataStoreFiles

extension LMDBDataStore {
    /// Replaces the data file of a store by a copy without free pages, in which no deleted value remains.
    ///
    /// A write leaves the replaced and deleted values in free pages until a later write reuses them. Call this method
    /// after deleting confidential values. It does not overwrite the blocks of the old file on the disk.
    ///
    /// No process may have the store open, this one included. A process that opens the store meanwhile waits. If the
    /// process is killed, the store has the old file or the new one, which were both checked. A killed call may leave a
    /// file `.data.mdb.compacting-…`, which the next call removes.
    ///
    /// - Parameters:
    ///   - path: The directory.
    ///   - lockTimeout: The maximum time to wait for a process that is opening the store.
    /// - Throws: `DataStoreError`: `busy` if a process has the store open; `notAStore` if no store exists at
    ///   the path; `corrupted`; `full`; `CancellationError`. The store is then unchanged.
    public static func compact(_ path: String, lockTimeout: Duration = .seconds(30)) async throws {
        do {
            let absolutePath = try Path.absolute(path)
            try await Thread.run { cancellation in
                guard let directory = try Environment.directory(at: absolutePath) else {
                    throw DataStoreError.missing()
                }
                try Environment.checkPlacement(of: directory)
                try EnvironmentRegistry.shared.whileClosed(directory) {
                    try Compaction(directory).run(lockTimeout: lockTimeout, cancellation)
                }
            }
        } catch let error as DataStoreError {
            throw error.adding(operation: "compact the store", path: path)
        }
    }
}
