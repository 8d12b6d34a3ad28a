import DataStoreCore
import DataStoreFiles

extension PlistDataStore {
    /// Copies the file to a new path, byte for byte and with the entries of other programs, as it is at one moment,
    /// with mode 0600. The copy is complete and durable when this returns.
    ///
    /// A damaged file is not copied.
    ///
    /// - Parameter path: the new file, which must not exist.
    /// - Throws: `DataStoreError`: `notAStore` if something exists at the path, or nothing was saved yet; `corrupted`;
    ///   `full`, `inputOutput`; `CancellationError`.
    public func backup(to path: String) async throws {
        do {
            let target = try Path.absolute(path)
            try await Thread.run { [self] _ in try file.backUp(to: target) }
        } catch let error as DataStoreError {
            throw error.adding(operation: "back up the store to \(path.escapingControlCharacters)", path: self.path)
        }
    }
}
