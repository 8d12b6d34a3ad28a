import DataStoreCore

/// The files at a path that is said to be a store's, whatever state they are in.
struct FoundFiles: Sendable {
    let dataFile: String

    /// Whether there is a lock file. Without one nobody has the store open.
    let hasLockFile: Bool

    /// How large the data file is.
    let byteCount: Int

    /// Looks for them in a directory, or takes a data file that stands alone.
    ///
    /// - Throws: `DataStoreError` with the code `notAStore` where there is none.
    init(at path: String) throws(DataStoreError) {
        switch try FileSystem.entry(at: path) {
        case .file(_, let size): (dataFile, hasLockFile, byteCount) = (path, false, size)
        case .directory:
            dataFile = "\(path)/data.mdb"
            guard case .file(_, let size) = try FileSystem.entry(at: dataFile) else {
                throw DataStoreError(.notAStore, "there is no data.mdb in it", path: path)
            }
            byteCount = size
            if case .nothing = try FileSystem.entry(at: "\(path)/lock.mdb") {
                hasLockFile = false
            } else {
                hasLockFile = true
            }
        case .nothing: throw DataStoreError(.notAStore, "there is nothing", path: path)
        case .other: throw DataStoreError(.notAStore, "it is not a directory; an LMDB store is one", path: path)
        }
    }
}
