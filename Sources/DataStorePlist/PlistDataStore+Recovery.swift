import DataStoreCore
import DataStoreFiles

extension PlistDataStore {
    /// Makes a store of a damaged file again, from what can be read of it: every record and every entry of another
    /// program that is whole. Nothing is guessed.
    ///
    /// The damaged file is kept beside it, byte for byte, as `NAME.damaged-1` or the next number that is free; the new
    /// one takes its place at once. Of an XML file that was cut off, what comes before the place is saved; what comes
    /// behind a damaged place is, too, as far as the lines are indented as this store and other programs do it. Of a
    /// binary one, all objects that can be reached are read, and where its end is missing, those that are still there.
    ///
    /// Where nothing is damaged, nothing is changed. Stores that have the file open go on with the new one.
    ///
    /// - Parameter path: the file.
    /// - Returns: what was saved and what was not.
    /// - Throws: `DataStoreError`: `notAStore` where there is none, or something that never was one; `formatTooNew`;
    ///   `full`, `busy`, `inputOutput`. Then the file is as it was.
    public static func recover(_ path: String) async throws -> RecoveryReport {
        do {
            let file = PlistFile(path: try Path.absolute(path), newFormat: .xml, lockTimeout: .seconds(30))
            return try await Thread.run { _ in try file.recover() }
        } catch let error as DataStoreError {
            throw error.adding(operation: "recover the store", path: path)
        }
    }
}
