public import DataStoreCore
import DataStoreFiles
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
    /// - Throws: `DataStoreError` with the code `inputOutput` and the error number if the file cannot be read. Its code
    ///   is `notAStore` if the file is not a regular file. Its code is `corrupted` if the file is not a property list,
    ///   its root is not a dictionary, or a record cannot contain the value of a requested entry.
    public static func read(_ names: [String], ofFileAt path: String) throws(DataStoreError) -> Record {
        do throws(DataStoreError) {
            guard let read = try PlistLocation.resolve(path)?.read() else {
                throw DataStoreError(.noSuchFileOrDirectory, "read the file", path: path)
            }
            return try PlistContents.entries(names, of: read.bytes)
        } catch {
            throw error.adding(operation: "read the entries", path: path)
        }
    }
}
