import DataStoreCore
import DataStoreFiles

extension LMDBDataStore {
    /// Copies the store to a new directory, where it can be opened like any other. Reads and writes go on meanwhile;
    /// the copy is the store as it was at one moment, without its free pages, for the owner alone (0600), and durable
    /// when this returns.
    ///
    /// The store is checked first: what is damaged is not copied.
    ///
    /// The copy gets its name when it is complete. A backup that was killed leaves a directory `.NAME.unfinished-…`
    /// beside it, which the next backup to the same path removes.
    ///
    /// - Parameter path: the directory, at which there is nothing yet.
    /// - Throws: `DataStoreError`: `notAStore` where there is something at the path, or nothing was saved yet;
    ///   `corrupted`; `full`; `CancellationError`.
    public func backup(to path: String) async throws {
        do {
            let target = try Path.absolute(path)
            try readers.enter()
            defer { readers.leave() }
            guard let environment = try opened(create: false) else {
                throw DataStoreError(.notAStore, "nothing was saved in it yet")
            }
            try environment.checkFiles()
            try await Thread.run { [readers] cancellation in
                // The library would copy what is damaged, or crash on it.
                if let finding = try environment.check(by: readers, cancellation).findings.first {
                    throw DataStoreError(.corrupted, "it is damaged: \(finding); salvage it")
                }
                try readers.withMap(of: environment) { () throws(DataStoreError) in try environment.backUp(to: target) }
            }
        } catch let error as DataStoreError {
            throw error.adding(operation: "back up the store to \(path.escapingControlCharacters)", path: self.path)
        }
    }
}
