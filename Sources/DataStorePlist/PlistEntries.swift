public import DataStoreCore
import DataStoreSystem
import SystemPackage

/// A reader for entries of another program's property-list file, e.g. of an app that uses `UserDefaults`. It never
/// changes the file.
public enum PlistEntries {
    /// Reads entries of the root dictionary of a file.
    ///
    /// - Parameters:
    ///   - names: The keys of the entries. Other entries are skipped.
    ///   - path: The path of the file, an XML or a binary property list.
    /// - Returns: The entries that exist.
    /// - Throws: `DataStoreError` with one of these codes:
    ///   - `inputOutput` if the file does not exist or cannot be read.
    ///   - `notAStore` if the file is not a regular file.
    ///   - `corrupted` if the file is damaged or is not a property list, if its root is not a dictionary, or if a
    ///     record cannot contain the value of a requested entry.
    public static func read(_ names: [String], ofFileAt path: String) throws(DataStoreError) -> Record {
        do throws(DataStoreError) {
            guard let read = try PlistLocation.resolve(path, ofStore: false)?.read() else {
                throw DataStoreError(.noSuchFileOrDirectory, "read the file", path: path)
            }
            return try PlistContents.entries(names, of: read.bytes)
        } catch {
            throw error.adding(operation: "read the entries", path: path)
        }
    }
}
