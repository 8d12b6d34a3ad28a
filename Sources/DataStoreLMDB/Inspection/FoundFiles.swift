import DataStoreCore
import DataStoreFiles

/// The files at a path that is said to be a store, whatever their state.
struct FoundFiles: Sendable {
    /// The data file, open for reading.
    let data: File

    /// Whether there is a lock file. Without one, no process has the store open.
    let hasLockFile: Bool

    /// The size of the data file.
    let byteCount: Int64

    /// Opens the data file of a directory, or one that stands alone.
    ///
    /// - Throws: `DataStoreError` with the code `notAStore` if there is none.
    init(at path: String) throws(DataStoreError) {
        let place = Path(path)
        // A trailing slash or a link leads to a directory.
        if place.hasEntryName, let parent = try Directory.ifExists(place.parent),
            try parent.status(of: place.name)?.kind == .regular, let file = try parent.open(place.name, .read)
        {
            (data, hasLockFile) = (file, false)
        } else {
            let directory: Directory?
            do throws(DataStoreError) {
                directory = try Directory.ifExists(path)
            } catch {
                throw DataStoreError(
                    .notAStore, "it is not a directory; an LMDB store is a directory", path: path, underlying: error)
            }
            guard let directory else { throw DataStoreError(.notAStore, "nothing exists there", path: path) }
            guard let file = try directory.open(StoreFiles.dataName, .read) else {
                throw DataStoreError(.notAStore, "it contains no data.mdb", path: path)
            }
            (data, hasLockFile) = (file, try directory.status(of: StoreFiles.lockName) != nil)
        }
        byteCount = try data.status().size
    }
}
