import DataStoreSystem

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
    /// The offset in `data.mdb`, in bytes, of the byte that stands for the PID namespace of this process.
    private let namespaceByte: Int64

    /// Records the files of an environment before liblmdb opens it, and acquires shared locks on the bytes at
    /// ``identityByte`` and `namespaceByte`. Each lock file and each PID namespace has its own byte, so that a process
    /// with another lock file or in another namespace is detected. `opening` is the lock for opening.
    ///
    /// - Throws: `DataStoreError` with one of these codes:
    ///   - `inputOutput` if `data.mdb` or `lock.mdb` was removed or replaced.
    ///   - `busy` if another process has the same data file open with a different lock file, e.g. through a hard link
    ///     or a bind mount, or in another PID namespace.
    init(_ directory: Directory, data: File, _ opening: borrowing FileLock) throws(DataStoreError) {
        path = directory.path
        dataPath = directory.path(of: Self.dataName)
        lockPath = directory.path(of: Self.lockName)
        self.data = data
        dataID = try data.status().id
        guard try directory.status(of: Self.dataName)?.id == dataID,
            let lock = try directory.status(of: Self.lockName), lock.kind == .regular
        else { throw Self.replaced }
        lockID = lock.id
        namespaceByte = Self.currentNamespaceByte()
        try claim()
    }

    /// Opens the directory at a path. Returns `nil` if nothing exists there, and throws `DataStoreError` with the code
    /// `notAStore` if something other than a directory does.
    static func directory(at path: String) throws(DataStoreError) -> Directory? {
        do throws(DataStoreError) {
            return try Directory.ifExists(path)
        } catch {
            guard error.errno == ENOTDIR, try FileStatus.of(path: path) != nil else { throw error }
            throw DataStoreError.notAStore("not a directory", underlying: error)
        }
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

    static let replaced = LMDBError(code: ESTALE).mapped("query the files of the store")

    // MARK: Locks

    private static let firstByte: Int64 = 1 << 62
    private static let identities = firstByte + 16..<7 << 60
    private static let namespaces: Range<Int64> = 7 << 60..<Int64.max

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
        data.unlock(byte: namespaceByte)
        data.close()
    }

    /// Throws `DataStoreError` with the code `busy` if another process uses `lock.mdb`, but no other process has
    /// `data.mdb` open. That process still uses a data file that this one has replaced, e.g. with a backup. The lock
    /// file belongs to the replaced file, so liblmdb cannot open the new one.
    ///
    /// This process must not have the environment open.
    func checkForReplacement(in directory: Directory, after error: DataStoreError) throws(DataStoreError) {
        guard error.code == .corrupted || error.code == .busy,
            let lock = try directory.open(Self.lockName), try lock.isLocked(0..<1),
            try !data.isLocked(Self.bytesOfUse)
        else { return }
        throw DataStoreError(
            .busy,
            "data.mdb was replaced while another program has the store open; stop that program, or let it close and "
                + "reopen the store, and retry", path: path, underlying: error)
    }

    /// The offset in `data.mdb`, in bytes, of the byte that a process locks to show which lock file it uses. The offset
    /// is derived from the device and inode of the lock file.
    private var identityByte: Int64 {
        let hash = (lockID.inode &* 0x9E37_79B9_7F4A_7C15) ^ lockID.device
        return Self.identities.lowerBound + Int64(hash % UInt64(Self.identities.count))
    }

    /// Returns the offset in `data.mdb`, in bytes, of the byte that a process locks to show in which PID namespace it
    /// runs.
    ///
    /// liblmdb identifies readers by process ids and owners of locks by thread ids. Two processes in different
    /// namespaces can have the same id. If one of them closed the store, it would free the reader slots of the other
    /// one, and a write would then reuse pages that are being read.
    private static func currentNamespaceByte() -> Int64 {
        do throws(DataStoreError) {
            // A system without PID namespaces or `/proc` has no such file.
            let namespace = try FileStatus.of(path: "/proc/self/ns/pid", followingLinks: true)
            guard let namespace else { return namespaces.lowerBound }
            return namespaces.lowerBound + Int64(namespace.id.inode % UInt64(namespaces.count - 1) + 1)
        } catch {
            // The path is a link of the kernel, which a process can always follow for itself.
            return namespaces.lowerBound
        }
    }

    /// Acquires the shared locks that show which lock file and PID namespace this process uses. They are held until the
    /// data file is closed.
    ///
    /// - Throws: `DataStoreError` with the code `busy` if another process uses a different lock file or namespace.
    private func claim() throws(DataStoreError) {
        for (byte, bytes) in [(identityByte, Self.identities), (namespaceByte, Self.namespaces)] {
            try data.lockShared(byte: byte)
            for others in [bytes.lowerBound..<byte, byte + 1..<bytes.upperBound] where try data.isLocked(others) {
                let reason =
                    bytes == Self.namespaces
                    ? "a program in another PID namespace, e.g. another container, has the store open; run both in "
                        + "one PID namespace, or use a property list or PostgreSQL"
                    : "another process has data.mdb open with another lock.mdb; use one path for both"
                throw DataStoreError(.busy, reason, path: path)
            }
        }
    }
}
