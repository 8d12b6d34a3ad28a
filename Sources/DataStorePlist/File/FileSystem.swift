import DataStoreCore
import DataStoreFiles
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
        return stamp(of: status)
    }

    /// Whether the file that a descriptor is of is the one at a path.
    static func isFile(_ descriptor: Int32, at path: String) throws(DataStoreError) -> Bool {
        var (opened, named) = (stat(), stat())
        guard unsafe fstat(descriptor, &opened) == 0 else { throw failure("look at the file", path) }
        guard unsafe lstat(path, &named) == 0 else {
            if errno == ENOENT { return false }
            throw failure("look at the file", path)
        }
        return opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
    }

    private static func stamp(of status: stat) -> FileStamp {
        #if canImport(Darwin)
        let (changed, inodeChanged) = (status.st_mtimespec, status.st_ctimespec)
        #else
        let (changed, inodeChanged) = (status.st_mtim, status.st_ctim)
        #endif
        return FileStamp(
            device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino),
            size: Int64(status.st_size), changed: nanoseconds(changed), inodeChanged: nanoseconds(inodeChanged),
            mode: UInt32(status.st_mode & 0o7777), owner: status.st_uid, group: status.st_gid,
            nameCount: UInt64(status.st_nlink))
    }

    /// The clock that file times are taken from, in nanoseconds since 1970.
    static func now() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return nanoseconds(time)
    }

    /// Milliseconds of a clock that nobody sets.
    static func milliseconds() -> Int64 {
        var time = timespec()
        #if os(Linux)
        // The quickest to ask; it is some milliseconds late.
        unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        #else
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        #endif
        return nanoseconds(time) / 1_000_000
    }

    /// A time in nanoseconds since 1970. Files may be given times after 2262, for which there is no room: they wrap around, and
    /// differ all the same.
    static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
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

    /// The names that lead to a file: its own, and those of the symbolic links before it.
    static func places(of path: String) -> [WatchedPlace] {
        var (path, places) = (path, [WatchedPlace]())
        for _ in 0..<40 {
            places.append(WatchedPlace(directory: parent(of: path), name: lastPart(of: path)))
            do throws(DataStoreError) {
                guard let link = try link(at: path) else { break }
                path = link.hasPrefix("/") ? link : "\(parent(of: path))/\(link)"
            } catch {
                // Whoever reads the file is told.
                break
            }
        }
        return places
    }

    /// Where a symbolic link leads; nil where there is none.
    private static func link(at path: String) throws(DataStoreError) -> String? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw failure("follow a symbolic link", path)
        }
        guard status.st_mode & S_IFMT == S_IFLNK else { return nil }
        // Room for what a link may have; should it have changed meanwhile, the next step finds out.
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.withMemoryRebound(to: CChar.self) { chars in
                unsafe chars.baseAddress.map { unsafe readlink(path, $0, chars.count) } ?? -1
            }
        }
        guard count >= 0 else { throw failure("follow a symbolic link", path) }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// Makes a directory and those above it that are missing, with mode 0700, and syncs what they are entered in.
    static func makeDirectory(_ path: String) throws(DataStoreError) {
        var status = stat()
        if unsafe stat(path, &status) == 0 { return }
        try makeDirectory(parent(of: path))
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure("make a directory", path) }
        try sync(parent(of: path))
    }

    /// The directory that a path is entered in.
    static func parent(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// What follows the last slash.
    static func lastPart(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    static func sync(_ directory: String) throws(DataStoreError) {
        let descriptor = unsafe open(directory, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("sync the directory", directory) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("sync the directory", directory) }
    }

    // MARK: Failures

    static func failure(
        _ operation: String, _ path: String, _ code: Int32 = errno
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
            underlying: POSIXErrorCode(rawValue: code).map { POSIXError($0) })
    }
}
