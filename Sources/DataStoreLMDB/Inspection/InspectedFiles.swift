import DataStoreCore
import DataStoreSystem

/// The files at a path, which may belong to a damaged store or to another program.
struct InspectedFiles: Sendable {
    /// The data file, open for reading.
    let data: File

    /// Whether the path is a directory that contains a lock file. If the directory contains none, no process has the
    /// store open. The value is always `false` if the path is a data file.
    let hasLockFile: Bool

    /// Opens the data file in a directory, or the data file at the path itself.
    ///
    /// - Throws: `DataStoreError` with the code `notAStore` if no data file exists.
    init(at path: String) throws(DataStoreError) {
        let entry = Path(path)
        // A path with a trailing slash refers to a directory, and so may a symbolic link.
        if entry.hasEntryName, let parent = try Directory.ifExists(entry.parent),
            try parent.status(of: entry.name)?.kind == .regular, let file = try parent.open(entry.name, .read)
        {
            (data, hasLockFile) = (file, false)
        } else {
            let directory: Directory?
            do throws(DataStoreError) {
                directory = try Directory.ifExists(path)
            } catch {
                throw DataStoreError.notAStore("not a directory", path: path, underlying: error)
            }
            guard let directory else { throw DataStoreError.missing(path: path) }
            guard let file = try directory.open(StoreFiles.dataName, .read) else {
                throw DataStoreError.missing(path: path)
            }
            (data, hasLockFile) = (file, try directory.status(of: StoreFiles.lockName) != nil)
        }
    }
}
