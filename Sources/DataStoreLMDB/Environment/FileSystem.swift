import CDataStoreLMDB
import DataStoreCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What the store asks of the file system beside LMDB.
enum FileSystem {
    /// Which file it is, whatever it is called: the device and the inode.
    struct FileID: Hashable {
        let device: UInt64
        let inode: UInt64

        init(_ status: stat) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            inode = UInt64(status.st_ino)
        }

        #if os(Linux)
        init(_ status: up_statx) {
            device = unsafe withUnsafePointer(to: status) { status in unsafe up_device(status) }
            inode = status.inode
        }
        #endif
    }

    /// What is at a path.
    enum Entry { case nothing, directory, file(FileID, size: Int), other }

    static func entry(at path: String) throws(DataStoreError) -> Entry {
        #if os(Linux)
        var status = up_statx()
        let code = unsafe up_stat_without_times(path, &status)
        let (mode, size) = (mode_t(status.mode), Int(status.size))
        #else
        var status = stat()
        let code = unsafe stat(path, &status)
        let (mode, size) = (status.st_mode, Int(status.st_size))
        #endif
        guard code == 0 else {
            if errno == ENOENT { return .nothing }
            throw failure("look at the store", path)
        }
        switch mode & S_IFMT {
        case S_IFDIR: return .directory
        case S_IFREG: return .file(FileID(status), size: size)
        default: return .other
        }
    }

    /// A path from the root: the working directory may change.
    static func absolute(_ path: String) throws(DataStoreError) -> String {
        if path.utf8.first == UInt8(ascii: "/") { return path }
        // The buffer is the caller's to free.
        guard let directory = unsafe getcwd(nil, 0) else { throw failure("find the working directory", path) }
        defer { unsafe free(directory) }
        return unsafe "\(String(cString: directory))/\(path)"
    }

    /// Makes a directory and those above it that are missing, with mode 0700, and syncs what they are entered in.
    static func makeDirectory(_ path: String) throws(DataStoreError) {
        let parent = parent(of: path)
        if case .directory = try entry(at: path) { return }
        if case .nothing = try entry(at: parent) { try makeDirectory(parent) }
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure("make a directory", path) }
        try sync(parent)
    }

    /// Refuses file systems whose shared memory and locks LMDB cannot rely on.
    static func checkIsLocal(_ path: String) throws(DataStoreError) {
        #if os(Linux)
        var status = statfs()
        guard unsafe statfs(path, &status) == 0 else { throw failure("look at the file system", path) }
        guard let name = remoteFileSystem(UInt32(truncatingIfNeeded: status.f_type)) else { return }
        throw DataStoreError(
            .unsupportedFileSystem, "it is on \(name); LMDB needs a local file system, keep it on one", path: path)
        #endif
    }

    /// The name of a remote file system by the magic number of statfs(2); nil where it is none.
    private static func remoteFileSystem(_ number: UInt32) -> String? {
        switch number {
        case 0x6969: "NFS"
        case 0x517B: "SMB"
        case 0xFF53_4D42: "CIFS"
        case 0xFE53_4D42: "SMB2"
        case 0x6573_5546: "FUSE"
        case 0x0102_1997: "9P"
        case 0x00C3_6400: "Ceph"
        case 0x5346_414F: "AFS"
        default: nil
        }
    }

    /// Makes the entries of a directory durable.
    static func sync(_ directory: String) throws(DataStoreError) {
        let descriptor = unsafe open(directory, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("sync a directory", directory) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("sync a directory", directory) }
    }

    /// Takes the room of a lock file before it is mapped: LMDB extends it without, and to touch a page that there is no
    /// room for is SIGBUS.
    static func reserve(_ path: String, byteCount: Int) throws(DataStoreError) {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        // Where it may not be written, LMDB says so itself.
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        #if os(Linux)
        let code = posix_fallocate(descriptor, 0, off_t(byteCount))
        if code == ENOSPC || code == EDQUOT || code == EFBIG {
            throw LMDBError(code: code).mapped("make the lock file", path: path)
        }
        #endif
    }

    /// Holds a lock on a directory, so that no two processes make a store in it at once, while a closure runs.
    static func locking<Result>(
        _ directory: String, _ body: () throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        let descriptor = unsafe open(directory, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open the directory", directory) }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw failure("lock the directory", directory) }
        }
        return try body()
    }

    /// Whether there is no room to make a file longer: on the file system, or within what the process may write.
    static func isFull(_ path: String) -> Bool {
        var limit = rlimit()
        if case .file(_, let size) = try? entry(at: path), unsafe getrlimit(fileSizeLimit, &limit) == 0,
            UInt64(limit.rlim_cur) < UInt64(size) + 65_536
        {
            return true
        }
        var status = statvfs()
        return unsafe statvfs(path, &status) == 0 && UInt64(status.f_bavail) * UInt64(status.f_frsize) < 65_536
    }

    #if canImport(Glibc)
    private static let fileSizeLimit = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
    private static let fileSizeLimit = RLIMIT_FSIZE
    #endif

    /// Empties a file that was not made to the end.
    static func empty(_ path: String) { unsafe truncate(path, 0) }

    /// Makes a file for the owner alone, has it written, and makes it durable.
    static func write(
        _ path: String, _ body: (_ descriptor: Int32) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("make a file", path) }
        defer { close(descriptor) }
        try body(descriptor)
        guard fsync(descriptor) == 0 else { throw failure("sync a file", path) }
    }

    static func rename(_ path: String, to newPath: String) throws(DataStoreError) {
        #if canImport(Glibc)
        let code = unsafe Glibc.rename(path, newPath)
        #elseif canImport(Musl)
        let code = unsafe Musl.rename(path, newPath)
        #else
        let code = unsafe Darwin.rename(path, newPath)
        #endif
        guard code == 0 else { throw failure("give a file its name", newPath) }
    }

    /// Removes a file, where it is there.
    static func remove(_ path: String) { unsafe unlink(path) }

    /// Removes a directory that is empty.
    static func removeDirectory(_ path: String) { unsafe rmdir(path) }

    /// The directory that a path is entered in.
    static func parent(of path: String) -> String { split(path).parent }

    /// The last part of a path.
    static func name(of path: String) -> String { split(path).name }

    private static func split(_ path: String) -> (parent: String, name: String) {
        let slash = UInt8(ascii: "/")
        var bytes = Array(path.utf8)
        while bytes.count > 1, bytes.last == slash { bytes.removeLast() }
        guard let last = bytes.lastIndex(of: slash) else { return (".", String(decoding: bytes, as: UTF8.self)) }
        return (
            last == 0 ? "/" : String(decoding: bytes[..<last], as: UTF8.self),
            String(decoding: bytes[(last + 1)...], as: UTF8.self)
        )
    }

    private static func failure(_ operation: String, _ path: String) -> DataStoreError {
        LMDBError(code: errno).mapped(operation, path: path)
    }
}
