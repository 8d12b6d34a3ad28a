import DataStoreCore
import DataStoreFiles

extension PlistDataStore {
    /// Copies a consistent state of the file to a new path, byte for byte and including the entries of other programs.
    /// The copy has mode 0600 and is durable when this returns.
    ///
    /// A damaged file is not copied.
    ///
    /// - Parameter path: The new file, which must not exist.
    /// - Throws: `DataStoreError`: `notAStore` if something exists at the path, or the file does not exist yet;
    ///   `corrupted`; `full`, `inputOutput`; `CancellationError`.
    public func backup(to path: String) async throws {
        do {
            let target = try Path.absolute(path)
            try await Thread.run { [self] _ in try file.backUp(to: target) }
        } catch let error as DataStoreError {
            throw error.adding(operation: "back up the store", path: self.path)
        }
    }
}
