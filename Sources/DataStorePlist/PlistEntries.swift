public import DataStoreCore
import DataStoreFiles
import SystemPackage

/// Entries of a property-list file that is another program's, e.g. of what an app keeps in `UserDefaults`. The file is
/// only read.
public enum PlistEntries {
    /// Reads entries of the dictionary that is the root of a file.
    ///
    /// - Parameters:
    ///   - names: the keys of the entries that are wanted; the others are passed over.
    ///   - path: the file, an XML or a binary property list.
    /// - Returns: the entries that there are.
    /// - Throws: `DataStoreError`: `inputOutput` with the error number where the file cannot be read; `notAStore` where
    ///   no regular file is there; `corrupted` where it is no property list, its root no dictionary, or an entry that
    ///   is wanted nothing that a record can hold.
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
