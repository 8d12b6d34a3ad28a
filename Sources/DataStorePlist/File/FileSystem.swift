import DataStoreCore
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The calls of the operating system that Foundation does not offer with what this store needs: stamps to the nanosecond,
/// locks, a file that is made with its final mode, rename, syncing a directory.
///
/// All `unsafe` here is about paths and structures that the call only reads or fills before it returns.
enum FileSystem {
    /// The stamp of a file; nil where nothing is there.
    static func stamp(of path: String) throws(DataStoreError) -> FileStamp? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw failure("look at the file", path)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw DataStoreError(.notAStore, "it is not a regular file", path: path)
        }
        #if canImport(Darwin)
        let (changed, inodeChanged) = (status.st_mtimespec, status.st_ctimespec)
        #else
        let (changed, inodeChanged) = (status.st_mtim, status.st_ctim)
        #endif
        return FileStamp(
            device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino),
            size: Int64(status.st_size), changed: nanoseconds(changed), inodeChanged: nanoseconds(inodeChanged),
            mode: UInt32(status.st_mode & 0o7777), owner: status.st_uid, group: status.st_gid)
    }

    /// The clock that file times are taken from, in nanoseconds since 1970.
    static func now() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return nanoseconds(time)
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The file that a path leads to, through symbolic links, whether it is there or not. Only its directory need be.
    ///
    /// Everything is done to this one: were each call to follow the links itself, they could come to different files.
    static func target(of path: String) throws(DataStoreError) -> String {
        var path = path
        for _ in 0..<40 {
            let name = lastPart(of: path)
            guard !name.isEmpty, name != ".", name != ".." else {
                throw DataStoreError(.notAStore, "it is a directory", path: path)
            }
            // realpath answers with memory of its own, which is freed when it has been copied.
            guard let directory = unsafe realpath(parent(of: path), nil) else {
                throw failure("find the directory", path)
            }
            defer { unsafe free(directory) }
            let found = unsafe "\(String(cString: directory))/\(name)"
            guard let link = try link(at: found) else { return found }
            path = link.hasPrefix("/") ? link : "\(parent(of: found))/\(link)"
        }
        throw failure("follow symbolic links", path, ELOOP)
    }

    /// Where a symbolic link leads; nil where there is none.
    private static func link(at path: String) throws(DataStoreError) -> String? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw failure("follow a symbolic link", path)
        }
        guard status.st_mode & S_IFMT == S_IFLNK else { return nil }
        do {
            return try FileManager.default.destinationOfSymbolicLink(atPath: path)
        } catch {
            throw failure("follow a symbolic link", path, posixCode(of: error), error)
        }
    }

    /// The bytes of a file.
    static func read(_ path: String) throws(DataStoreError) -> Data {
        let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("read the file", path) }
        do {
            return try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).readToEnd() ?? Data()
        } catch {
            throw failure("read the file", path, posixCode(of: error), error)
        }
    }

    /// Replaces a file with other bytes, all or nothing, and makes that durable.
    ///
    /// - Parameters:
    ///   - path: the file; not a symbolic link.
    ///   - bytes: its new contents.
    ///   - old: the stamp of the file that is there, whose mode and owner it keeps.
    /// - Throws: `DataStoreError`; then the file is as it was.
    static func replace(_ path: String, with bytes: Data, old: FileStamp?) throws(DataStoreError) {
        // The lock is held: a file of this name is one that a killed process left.
        let temporary = "\(parent(of: path))/.\(lastPart(of: path)).saving"
        if try stamp(of: temporary) != nil { unsafe unlink(temporary) }
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("make a file", temporary) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: bytes)
            // Only root may give a file away; for everybody else the owner is the same or cannot stay.
            if let old { _ = fchown(descriptor, old.owner, old.group) }
            guard fchmod(descriptor, mode_t(old?.mode ?? 0o600)) == 0 else {
                throw failure("set the mode of", temporary)
            }
            try handle.synchronize()
            guard unsafe rename(temporary, path) == 0 else { throw failure("replace the file", path) }
        } catch {
            unsafe unlink(temporary)
            throw error as? DataStoreError ?? failure("write the file", path, posixCode(of: error), error)
        }
        try sync(parent(of: path))
    }

    /// Makes a directory and those above it that are missing, with mode 0700, and syncs what they are entered in.
    static func makeDirectory(_ path: String) throws(DataStoreError) {
        var status = stat()
        if unsafe stat(path, &status) == 0 { return }
        try makeDirectory(parent(of: path))
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure("make a directory", path) }
        try sync(parent(of: path))
    }

    /// Takes the lock of a lock file, which is made where there is none, and holds it until the handle is gone.
    static func lock(_ path: String) throws(DataStoreError) -> FileHandle {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("open the lock file", path) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var pause: UInt32 = 200
        let deadline = now() + 30_000_000_000
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw failure("lock", path) }
            guard now() < deadline else {
                throw DataStoreError(
                    .busy, "another process has held the lock for 30 seconds; try again", operation: "lock", path: path)
            }
            usleep(pause)
            pause = min(pause * 3 / 2, 5000)
        }
        return handle
    }

    /// The directory that a path is entered in.
    static func parent(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// What follows the last slash.
    private static func lastPart(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    private static func sync(_ directory: String) throws(DataStoreError) {
        let descriptor = unsafe open(directory, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("sync the directory", directory) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("sync the directory", directory) }
    }

    // MARK: Failures

    private static func posixCode(of error: any Error) -> Int32 {
        let error = error as NSError
        if error.domain == NSPOSIXErrorDomain { return Int32(error.code) }
        let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
        return underlying.map { Int32($0.code) } ?? EIO
    }

    private static func failure(
        _ operation: String, _ path: String, _ code: Int32 = errno, _ underlying: (any Error)? = nil
    ) -> DataStoreError {
        // strerror answers with a text that is valid until the next call on this thread; it is copied at once.
        let words = unsafe String(cString: strerror(code))
        let (mapped, reason): (DataStoreError.Code, String) =
            switch code {
            case ENOSPC, EDQUOT, EFBIG: (.full, "there is no room left; make room and try again")
            case EROFS: (.readOnly, "the file system can only be read")
            default: (.inputOutput, words)
            }
        return DataStoreError(
            mapped, reason, operation: operation, path: path, errno: code,
            underlying: underlying ?? POSIXErrorCode(rawValue: code).map { POSIXError($0) })
    }
}
