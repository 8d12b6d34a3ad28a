import DataStoreCore
import DataStoreFiles

extension PlistDataStore {
    /// Restores a store from a damaged file: it keeps every intact record and every intact entry of other programs.
    /// Nothing is guessed.
    ///
    /// The damaged file is kept beside the new one, byte for byte, as `NAME.damaged-1` or the next free number. The new
    /// file replaces it atomically.
    ///
    /// - In a truncated XML file, everything before the end is recovered.
    /// - In an XML file with a damaged part, the entries after it are recovered, too. This requires the indentation
    ///   that this store and other programs write.
    /// - In a binary file, all reachable objects are recovered; if its end is missing, all objects that remain.
    ///
    /// An intact file is not changed. Stores that have the file open continue with the new one.
    ///
    /// - Parameter path: The file.
    /// - Returns: A report of the recovered and the lost parts.
    /// - Throws: `DataStoreError`: `notAStore` if the file does not exist or was never a store; `formatTooNew`; `full`,
    ///   `busy`, `inputOutput`. The file is unchanged then.
    public static func recover(_ path: String) async throws -> RecoveryReport {
        do {
            let file = PlistFile(path: try Path.absolute(path), newFormat: .xml, lockTimeout: .seconds(30))
            return try await Thread.run { _ in try file.recover() }
        } catch let error as DataStoreError {
            throw error.adding(operation: "recover the store", path: path)
        }
    }
}
