import DataStoreCore
import DataStoreFiles

extension LMDBDataStore {
    /// Copies the store to a new directory, where it can be opened like any other store.
    ///
    /// The copy is a snapshot without free pages. Reads and writes continue meanwhile. When this method returns, the
    /// copy is durable, and only its owner can read it (mode 0600).
    ///
    /// The store is checked first; a damaged store is not copied.
    ///
    /// The copy receives its name when it is complete. A killed backup leaves a directory `.NAME.unfinished-…` beside
    /// it, which the next backup to the same path removes.
    ///
    /// - Parameter path: The directory, which must not exist yet.
    /// - Throws: `DataStoreError`: `notAStore` if something exists at the path or nothing has been saved yet;
    ///   `corrupted`; `full`; `CancellationError`.
    public func backup(to path: String) async throws {
        do {
            let target = try Path.absolute(path)
            try readers.beginUse()
            defer { readers.endUse() }
            guard let environment = try opened(create: false) else {
                throw DataStoreError.missing()
            }
            try environment.checkFiles()
            try await Thread.run { [readers] cancellation in
                // liblmdb would copy the damage, or crash on it.
                if let finding = try environment.check(by: readers, cancellation).findings.first {
                    throw DataStoreError.damaged("\(finding)")
                }
                try readers.withMap(of: environment) { () throws(DataStoreError) in try environment.backUp(to: target) }
            }
        } catch let error as DataStoreError {
            throw error.adding(operation: "back up the store", path: self.path)
        }
    }
}
