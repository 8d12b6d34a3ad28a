import DataStoreCore
import Dispatch

extension PlistDataStore {
    /// Copies the file, byte for byte and with the entries of other programs, as it is at one moment, for the owner alone (0600),
    /// and durable when this returns.
    ///
    /// What is damaged is not copied. The copy gets its name when it is whole.
    ///
    /// - Parameter path: the new file, where there is none yet.
    /// - Throws: `DataStoreError`: `notAStore` where there is something at the path, or nothing was saved yet; `corrupted`;
    ///   `full`, `inputOutput`.
    public func backup(to path: String) async throws {
        let result: Result<Void, DataStoreError> = await withCheckedContinuation { continuation in
            // It waits for the disk.
            DispatchQueue.global().async { [self] in
                continuation.resume(
                    returning: Result { () throws(DataStoreError) in
                        do throws(DataStoreError) {
                            try FileSystem.backUp(self.path, to: Self.absolute(path))
                        } catch {
                            throw error.adding(operation: "back up the store to \(path.escapingControlCharacters)")
                                .adding(path: self.path)
                        }
                    })
            }
        }
        try result.get()
    }
}
