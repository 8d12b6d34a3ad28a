import DataStoreCore
import DataStoreSystem

extension LMDBDataStore {
    /// Replaces the data file of a store with a copy without free pages, so that the file contains no deleted value.
    ///
    /// Call this function after you delete confidential values. A write leaves replaced and deleted values in free
    /// pages until a later write reuses the pages. The function does not overwrite the blocks of the old file on the
    /// disk.
    ///
    /// No process may have the store open, including this one. A process that tries to open the store during the call
    /// waits until the call ends. The copy is checked before it replaces the old file. If the process that calls this
    /// function is killed, the store has either the old file or the copy. A file `.data.mdb.compacting-…` may then
    /// remain, which the next call removes. After an error, the store is unchanged, unless only the sync of the
    /// directory failed.
    ///
    /// - Parameters:
    ///   - path: The directory of the store.
    ///   - lockTimeout: The maximum time to wait for a process that is opening the store.
    /// - Throws: `CancellationError` if the task is cancelled. `DataStoreError` with one of these codes:
    ///   - `busy` if a process has the store open.
    ///   - `notAStore` if no store exists at the path.
    ///   - `corrupted` if the store is damaged.
    ///   - `full` if the copy does not fit on the disk.
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
