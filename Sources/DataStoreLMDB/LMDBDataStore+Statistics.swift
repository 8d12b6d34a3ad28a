package import DataStoreCore

extension LMDBDataStore {
    /// Collects statistics of the store.
    ///
    /// - Returns: The statistics, or `nil` if nothing has been saved yet.
    /// - Throws: `DataStoreError` if the store is closed or cannot be read.
    package func statistics() throws -> PageStatistics? {
        do {
            try readers.beginUse()
            defer { readers.endUse() }
            switch try openedForReading() {
            case nil: return nil
            case .readOnly(let store): return try store.statistics()
            case .environment(let environment):
                try environment.checkFiles()
                return try readers.withMap(of: environment) { () throws(DataStoreError) in
                    try environment.statistics()
                }
            }
        } catch let error as DataStoreError {
            throw error.adding(operation: "inspect the store", path: path)
        }
    }
}
