import DataStoreCore
import DataStoreSystem

extension PlistDataStore {
    /// Restores the intact records and the intact entries of other programs from a damaged file. It does not guess lost
    /// values.
    ///
    /// The damaged file is kept beside the new one, byte for byte, as `NAME.damaged-1` or the next free number. The new
    /// file replaces the damaged one atomically. Stores that have the file open continue with the new file. An intact
    /// file is not changed. After an error, the file is unchanged, unless only the sync of the directory failed.
    ///
    /// - In a truncated XML file, each complete record or entry is recovered.
    /// - In an XML file with a damaged part, the entries after that part are recovered, too. This requires the
    ///   indentation that this store and other programs write.
    /// - In a binary file, a record or an entry is recovered if all its objects are intact and the dictionaries that
    ///   contain it are readable. The end of the file may be missing.
    ///
    /// - Parameter path: The path of the file.
    /// - Returns: A report on the recovered and the lost parts.
    /// - Throws: `DataStoreError` with one of these codes:
    ///   - `notAStore` if the file does not exist or was never a store.
    ///   - `formatTooNew` if a newer program wrote the file.
    ///   - `busy` if another process holds the lock.
    ///   - `full` if the disk is full.
    ///   - `inputOutput` if a file cannot be read or written.
    public static func recover(_ path: String) async throws -> RecoveryReport {
        do {
            let file = PlistFile(path: try Path.absolute(path), newFormat: .xml, lockTimeout: .seconds(30))
            return try await Thread.run { _ in try file.recover() }
        } catch let error as DataStoreError {
            throw error.adding(operation: "recover the store", path: path)
        }
    }
}
