public import DataStoreCore
import DataStoreFiles
import SystemPackage

/// Access to entries of another program's property-list file, e.g. of the file that an app uses with `UserDefaults`.
/// The file is never written.
public enum PlistEntries {
    /// Returns entries of the root dictionary of a file.
    ///
    /// - Parameters:
    ///   - names: The keys of the entries. Other entries are skipped.
    ///   - path: The file, an XML or a binary property list.
    /// - Returns: The entries that exist.
    /// - Throws: `DataStoreError`: `inputOutput` with the error number if the file cannot be read; `notAStore` if it is
    ///   not a regular file; `corrupted` if it is not a property list, its root is not a dictionary, or a requested
    ///   entry has a value that a record cannot hold.
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
