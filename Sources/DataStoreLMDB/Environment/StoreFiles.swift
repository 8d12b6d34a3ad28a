import DataStoreCore
import DataStoreFiles

/// The files of an open store: their identities, and the locks on the data file that coordinate processes.
///
/// All locks are open file description locks on bytes far beyond the end of `data.mdb`. Only a process that may write
/// to the store can hold them.
struct StoreFiles: Sendable {
    static let dataName = "data.mdb"
    static let lockName = "lock.mdb"

    /// The path of the store's directory.
    let path: String
    /// The data file, open for reading and writing.
    let data: File
    /// The identity of the file `data.mdb`.
    let dataID: FileID
    /// The identity of the file `lock.mdb`.
    let lockID: FileID
    // The path is stored, because each commit uses it.
    private let dataPath: String
    private let lockPath: String

    /// Records the files of an environment that liblmdb has just opened, and acquires a shared lock on the byte at
    /// ``identityByte``. Each lock file has its own byte, so that a process with a different lock file is detected.
    ///
    /// - Throws: `DataStoreError` with one of these codes:
    ///   - `inputOutput` if `data.mdb` or `lock.mdb` was removed or replaced after liblmdb opened the file.
    ///   - `busy` if another process has the same data file open with a different lock file, e.g. through a hard link
    ///     or a bind mount.
    init(_ directory: Directory, data: File) throws(DataStoreError) {
        path = directory.path
        dataPath = directory.path(of: Self.dataName)
        lockPath = directory.path(of: Self.lockName)
        self.data = data
        dataID = try data.status().id
        guard try directory.status(of: Self.dataName)?.id == dataID,
            let lock = try directory.status(of: Self.lockName), lock.kind == .regular
        else { throw Self.replaced }
        lockID = lock.id
        try claim()
    }

    /// Throws `DataStoreError` with the code `inputOutput` if `data.mdb` or `lock.mdb` was removed or replaced after
    /// this process opened the file.
    ///
    /// A process that opens the store later would use the new files. Writes of this process would then be lost, or both
    /// processes would write without a common lock.
    func check() throws(DataStoreError) {
        guard try FileStatus.of(path: dataPath)?.id == dataID,
            try FileStatus.of(path: lockPath)?.id == lockID
        else { throw Self.replaced }
    }

    static let replaced = LMDBError(code: LMDBError.staleFile).mapped("query the files of the store")

    // MARK: Locks

    private static let firstByte: Int64 = 1 << 62
    private static let firstIdentity = firstByte + 16

    /// The offsets, in bytes, of all locks that a process acquires on `data.mdb` after it has opened the environment.
    /// Every process that has the environment open holds at least one of them.
    static let bytesOfUse = firstByte + 1..<Int64.max

    /// Acquires the lock that a process holds while it creates or opens the environment.
    static func lockForOpening(_ data: File, timeout: Duration) throws(DataStoreError) -> FileLock {
        try FileLock(data, byte: firstByte, timeout: timeout) { 0 }
    }

    /// Acquires the lock that a process holds during each write transaction. It replaces the mutex of liblmdb, which
    /// has no time limit.
    ///
    /// - Parameters:
    ///   - timeout: The maximum time to wait while no process commits.
    ///   - isYielding: Whether to yield before the first attempt, so that a waiting process can acquire the lock first.
    ///   - lastTransaction: A closure that returns the number of the last transaction. Each change of the number
    ///     restarts the time limit.
    /// - Returns: The lock.
    /// - Throws: `DataStoreError` with the code `busy` if the time limit is exceeded, or `inputOutput` if the file
    ///   cannot be locked.
    func lockForWriting(
        timeout: Duration, isYielding: Bool, lastTransaction: () throws(DataStoreError) -> UInt64
    ) throws(DataStoreError) -> FileLock {
        try FileLock(
            data, byte: Self.firstByte + 1, timeout: timeout, isYielding: isYielding, progress: lastTransaction)
    }

    /// Releases the locks and closes the data file.
    func close() {
        // Closing alone would leave the lock to a child process that another thread is starting at this moment.
        data.unlock(byte: identityByte)
        data.close()
    }

    /// The offset in `data.mdb`, in bytes, of the byte that a process locks to show which lock file it uses. The offset
    /// is derived from the device and inode of the lock file.
    private var identityByte: Int64 {
        Self.firstIdentity + Int64(((lockID.inode &* 0x9E37_79B9_7F4A_7C15) ^ lockID.device) >> 3)
    }

    /// Acquires a shared lock on the byte at ``identityByte``, which shows which lock file this process uses. The lock
    /// is held until the data file is closed.
    ///
    /// - Throws: `DataStoreError` with the code `busy` if another process uses a different lock file.
    private func claim() throws(DataStoreError) {
        let identity = identityByte
        try data.lockShared(byte: identity)
        let others = [Self.firstIdentity..<identity, identity + 1..<Int64.max]
        for bytes in others where try data.isLocked(bytes) {
            throw DataStoreError(
                .busy, "another process has data.mdb open with another lock.mdb; use one path for both", path: path)
        }
    }
}
