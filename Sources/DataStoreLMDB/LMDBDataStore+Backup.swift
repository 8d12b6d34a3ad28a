import DataStoreCore
import DataStoreSystem

extension LMDBDataStore {
    /// Copies the store to a new directory, where it can be opened like any other store.
    ///
    /// The copy is a snapshot without free pages. Reads and writes continue during the copy. When this function
    /// returns, the copy is durable, and only its owner can read it (mode 0600).
    ///
    /// The store is checked first, and a damaged store is not copied. The new directory appears at the path only when
    /// the copy is complete. If the process is killed, a directory `.NAME.unfinished-…` remains in the parent
    /// directory, and the next backup to the same path removes it.
    ///
    /// - Parameter path: The path of the new directory, which must not exist.
    /// - Throws: `CancellationError` if the task is cancelled. `DataStoreError` with one of these codes:
    ///   - `notAStore` if the path exists or nothing has been saved yet.
    ///   - `corrupted` if the store is damaged.
    ///   - `full` if the copy does not fit on the disk.
    public func backup(to path: String) async throws {
        do {
            let target = try Path.absolute(path)
            try readers.beginUse()
            defer { readers.endUse() }
            guard let opened = try openedForReading() else { throw DataStoreError.missing() }
            if case .environment(let environment) = opened { try environment.checkFiles() }
            try await Thread.run { [readers] cancellation in
                // liblmdb would copy the damage, or crash on it.
                let report =
                    switch opened {
                    case .environment(let environment): try environment.check(by: readers, cancellation)
                    case .readOnly(let store): try store.check(cancellation)
                    }
                if let finding = report.findings.first { throw DataStoreError.damaged("\(finding)") }
                switch opened {
                case .environment(let environment):
                    try readers.withMap(of: environment) { () throws(DataStoreError) in
                        try environment.backUp(to: target)
                    }
                case .readOnly(let store): try store.backUp(to: target)
                }
            }
        } catch let error as DataStoreError {
            throw error.adding(operation: "back up the store", path: self.path)
        }
    }
}
