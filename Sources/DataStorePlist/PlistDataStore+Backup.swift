import DataStoreCore
import DataStoreSystem

extension PlistDataStore {
    /// Copies the file to a new path, byte for byte, while programs use it. The copy includes the entries of other
    /// programs.
    ///
    /// The copy has mode 0600 and is durable when this function returns. A damaged file is not copied.
    ///
    /// - Parameter path: The path of the copy, which must not exist.
    /// - Throws: `CancellationError` if the task is cancelled. `DataStoreError` with one of these codes:
    ///   - `notAStore` if the path exists or the store has no file yet.
    ///   - `corrupted` if the file is damaged.
    ///   - `full` if the disk is full.
    ///   - `inputOutput` if the copy cannot be written.
    public func backup(to path: String) async throws {
        do {
            let target = try Path.absolute(path)
            try await Thread.run { [self] _ in try file.backUp(to: target) }
        } catch let error as DataStoreError {
            throw error.adding(operation: "back up the store", path: self.path)
        }
    }
}
