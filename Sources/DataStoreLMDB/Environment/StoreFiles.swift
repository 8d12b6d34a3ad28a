import DataStoreCore

/// Which two files a store was opened with.
///
/// Where one of them was replaced or removed meanwhile, whoever opens the store now works on other files: what were saved
/// here would be lost, or two processes would write without a common lock.
struct StoreFiles {
    private let path: String
    let data: FileSystem.FileID
    private let lock: FileSystem.FileID

    /// Looks at the files of a store that is open.
    init(_ path: String) throws(DataStoreError) {
        guard case .file(let data, _) = try FileSystem.entry(at: Environment.dataFile(path)),
            case .file(let lock, _) = try FileSystem.entry(at: Environment.lockFile(path))
        else { throw StoreFiles.gone }
        self.path = path
        self.data = data
        self.lock = lock
    }

    /// Sees to it that they are still the ones.
    func check() throws(DataStoreError) {
        let now = try StoreFiles(path)
        guard now.data == data, now.lock == lock else { throw StoreFiles.gone }
    }

    /// Whether the disk has no room for another page of the data file, or the process may not make it longer.
    func isFull() -> Bool { FileSystem.isFull(Environment.dataFile(path)) }

    private static let gone = LMDBError(code: LMDBError.staleFile).mapped("look at the files of the store")
}
