public import DataStoreCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Entries of a property-list file that is another program's, e.g. of what an app keeps in `UserDefaults`. The file is only
/// read.
public enum PlistEntries {
    /// Reads entries of the dictionary that is the root of a file.
    ///
    /// - Parameters:
    ///   - names: the keys of the entries that are wanted; the others are passed over.
    ///   - path: the file, an XML or a binary property list.
    /// - Returns: the entries that there are.
    /// - Throws: `DataStoreError`: `inputOutput` with the error number where the file cannot be read; `notAStore` where no
    ///   regular file is there; `corrupted` where it is no property list, its root no dictionary, or an entry that is
    ///   wanted nothing that a record can hold.
    public static func read(_ names: [String], ofFileAt path: String) throws(DataStoreError) -> Record {
        do throws(DataStoreError) {
            // Nothing is read of what is no file: it may never end.
            guard let stamp = try FileSystem.stamp(of: path) else {
                throw FileSystem.failure("read the file", path, ENOENT)
            }
            return try PlistContents.entries(names, of: FileSystem.readStable(path, stamp).bytes)
        } catch {
            throw error.adding(operation: "read the entries", path: path)
        }
    }
}
