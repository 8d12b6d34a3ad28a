import DataStoreCore
import DataStoreSystem

extension Environment {
    /// The name of the data file in an unfinished backup. A complete backup has no file with this name.
    private static let unfinishedName = "unfinished.mdb"

    /// Copies the current state of the environment, without its free pages, to a new directory at `path`. The caller
    /// ensures that the memory map does not change during the call.
    func backUp(to path: String) throws(DataStoreError) {
        try Self.backUp(to: path) { file, _ throws(DataStoreError) in try map.raw.copy(to: file.descriptor) }
    }

    /// Creates a backup in a new directory at `path`. `copy` receives the empty data file and its path, and writes the
    /// copy.
    ///
    /// The copy is written to a temporary directory beside `path`. When the copy is complete and durable, that
    /// directory is renamed to `path`.
    static func backUp(
        to path: String, _ copy: (_ file: File, _ path: String) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        let target = Path(path)
        guard target.hasEntryName else {
            throw DataStoreError(
                .notAStore, "\(path.escapingControlCharacters) has no directory name; choose another path")
        }
        let parent = try Directory.creating(target.parent)
        try parent.checkPermissions()
        if try parent.status(of: target.name) != nil { throw DataStoreError.exists(path) }
        try removeLeftovers(of: target.name, in: parent)
        let (temporary, directory) = try parent.makeTemporaryDirectory(for: target.name, "unfinished")
        do throws(DataStoreError) {
            // The lock distinguishes a running backup from one whose process was killed.
            let file = try Self.createUnfinished(in: directory)
            let lock = try FileLock(file, timeout: .seconds(1)) { 0 }
            guard try directory.status(of: Self.unfinishedName) != nil else {
                throw DataStoreError(.busy, "another backup to \(path) is starting; retry")
            }
            try copy(file, "\(directory.pathOfDescriptor)/\(Self.unfinishedName)")
            try file.sync()
            try directory.rename(Self.unfinishedName, to: StoreFiles.dataName)
            try directory.sync()
            guard try parent.renameExclusively(temporary, to: target.name) else { throw DataStoreError.exists(path) }
            lock.release()
        } catch {
            directory.remove(Self.unfinishedName)
            directory.remove(StoreFiles.dataName)
            parent.removeDirectory(temporary)
            throw error
        }
        try parent.sync()
    }

    /// Creates the data file of a backup in its temporary directory.
    ///
    /// - Throws: `DataStoreError` with the code `busy` if another process has removed the directory or has already
    ///   created the file.
    private static func createUnfinished(in directory: Directory) throws(DataStoreError) -> File {
        do throws(DataStoreError) {
            if let file = try directory.create(unfinishedName) { return file }
        } catch {
            guard error.errno == ENOENT else { throw error }
        }
        throw DataStoreError(.busy, "another process changes \(directory.path); retry")
    }

    /// Removes the temporary directories that interrupted backups in `parent` have left.
    ///
    /// A directory is removed only if this user owns it, it contains nothing but an unfinished data file, and no
    /// process has locked that file. A directory with a complete data file is kept, because it may be a store. A backup
    /// with another name than `name` may be starting: it has not locked its file yet, which is missing or empty.
    private static func removeLeftovers(of name: String, in parent: Directory) throws(DataStoreError) {
        let own = try parent.temporaryNames(for: name, "unfinished")
        for leftover in try parent.temporaryNames(for: nil, "unfinished") {
            guard let directory = try parent.subdirectory(leftover), try directory.status().isOwn else { continue }
            do throws(DataStoreError) {
                let file = try directory.open(Self.unfinishedName, .readAndWrite)
                guard try file?.status().size ?? 0 > 0 || own.contains(leftover) else { continue }
                if let file {
                    let lock = try FileLock(file, timeout: .zero) { 0 }
                    directory.remove(Self.unfinishedName)
                    lock.release()
                }
                parent.removeDirectory(leftover)
            } catch {
                // A running backup holds the lock, or the file cannot be opened. What remains only wastes space.
            }
        }
    }
}
