import CDataStoreSystem
import Synchronization
import SystemPackage

/// An open file. It is closed by ``close()`` or when its last reference is released.
///
/// Each `unsafe` expression passes a buffer or a structure to a system call, which accesses it only until the call
/// returns.
package final class File: Sendable {
    private let number: Atomic<Int32>

    /// The file descriptor, for system calls that this type does not wrap. It is -1 after the file has been closed.
    /// Callers must not close it.
    package var descriptor: Int32 { number.load(ordering: .relaxed) }

    /// The path of the file, for error messages.
    package let path: String

    /// Takes ownership of an open file descriptor.
    package init(descriptor: Int32, path: String) {
        number = Atomic(descriptor)
        self.path = path
    }

    deinit { close() }

    /// Closes the file and releases its locks. Later operations on the file fail.
    package func close() {
        let descriptor = number.exchange(-1, ordering: .relaxed)
        if descriptor >= 0 { _ = systemClose(descriptor) }
    }

    /// Returns the contents of a regular file at a path that the user has specified, or `nil` if the file does not
    /// exist. Symbolic links are followed.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - limit: The maximum size in bytes.
    /// - Returns: The contents.
    /// - Throws: `DataStoreError` with one of these codes:
    ///   - `notAStore` if the file is not a regular file.
    ///   - `full` if the file has more than `limit` bytes.
    ///   - `inputOutput` if the file cannot be read.
    package static func contents(of path: String, limit: Int) throws(DataStoreError) -> [UInt8]? {
        guard let file = try openForReading(path) else { return nil }
        let bytes = try file.read(at: 0, count: limit + 1)
        guard bytes.count <= limit else {
            throw DataStoreError(.full, "the file has more than \(limit) bytes", operation: "read the file", path: path)
        }
        return bytes
    }

    /// Opens a regular file at a path that the user has specified, or returns `nil` if the file does not exist.
    /// Symbolic links are followed.
    ///
    /// - Parameter path: The path of the file.
    /// - Returns: The open file.
    /// - Throws: `DataStoreError` with the code `notAStore` if the file is not a regular file, or another code, e.g.
    ///   `inputOutput`, if it cannot be opened.
    package static func openForReading(_ path: String) throws(DataStoreError) -> File? {
        // The call does not block. Without `O_NONBLOCK`, opening a FIFO would wait for its other end.
        let opened = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard let descriptor = try checked(opened, "open the file", path, or: ENOENT) else { return nil }
        let file = File(descriptor: descriptor, path: path)
        guard try file.status().kind == .regular else {
            throw DataStoreError(.notAStore, "not a regular file", operation: "read the file", path: path)
        }
        return file
    }

    /// Opens a pipe or a device for writing, at a path that the user has specified. Symbolic links are followed.
    /// Opening a pipe waits until another process has opened it for reading.
    package static func openForWriting(_ path: String) throws(DataStoreError) -> File {
        let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
        try checked(descriptor, "open the file", path)
        return File(descriptor: descriptor, path: path)
    }

    /// Returns the attributes of the file.
    package func status() throws(DataStoreError) -> FileStatus {
        try FileStatus.of(descriptor: descriptor, path: path)
    }

    /// Returns the current stamp of the file.
    package func stamp() throws(DataStoreError) -> FileStamp {
        var stamp = up_stamp()
        try checked(unsafe up_stamp_of(descriptor, &stamp), "query the file", path)
        return FileStamp(stamp: stamp)
    }

    /// Returns whether the file still has the given stamp. The result is `false` if the current stamp cannot be read.
    package func has(_ stamp: FileStamp) -> Bool {
        var stamp = stamp.stamp
        return unsafe up_has_stamp(descriptor, &stamp) == 1
    }

    // MARK: Reading

    /// Returns up to `count` bytes from a position. Returns fewer bytes if the file ends earlier.
    package func read(at position: Int64, count: Int) throws(DataStoreError) -> [UInt8] {
        // With the capacity 0, the initializer below would write to the empty array that all threads share.
        guard count > 0 else { return [] }
        var code: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, readCount in
            while readCount < count {
                // The call initializes as many bytes as it returns, at most the remaining capacity of the buffer.
                let result = unsafe pread(
                    descriptor, buffer.baseAddress.map { unsafe $0 + readCount }, count - readCount,
                    off_t(position) + off_t(readCount))
                if result > 0 { readCount += result }
                if result == 0 { return }
                if result < 0, errno != EINTR {
                    code = errno
                    return
                }
            }
        }
        guard code == 0 else { throw DataStoreError(Errno(rawValue: code), "read the file", path: path) }
        return bytes
    }

    // MARK: Writing

    /// Writes all bytes at the current position of the file.
    package func write(_ bytes: [UInt8]) throws(DataStoreError) {
        let code = File.write(bytes, to: descriptor)
        guard code == 0 else { throw DataStoreError(Errno(rawValue: code), "write the file", path: path) }
    }

    /// Writes all bytes to a descriptor. If it is a non-blocking pipe or terminal that accepts no bytes at the moment,
    /// the function waits.
    ///
    /// - Returns: 0, or the error number of the failed system call.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        unsafe bytes.withUnsafeBytes { buffer in
            var count = 0
            while count < buffer.count {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[count...])
                let written = unsafe systemWrite(descriptor, rest.baseAddress, rest.count)
                if written >= 0 {
                    count += written
                } else if errno == EAGAIN {
                    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    // The call uses the structure only until it returns.
                    _ = unsafe poll(&waiting, 1, -1)
                } else if errno != EINTR {
                    return errno
                }
            }
            return 0
        }
    }

    /// Flushes the contents of the file to the disk.
    package func sync() throws(DataStoreError) { try checked(fsync(descriptor), "sync the file", path) }

    /// Truncates the file to zero bytes.
    package func truncate() throws(DataStoreError) {
        try checked(ftruncate(descriptor, 0), "empty the file", path)
    }

    /// Allocates disk space for the first `byteCount` bytes, so that writing to a memory map of them cannot fail for
    /// lack of space. If the system or the file system does not support this, the function does nothing.
    package func reserve(byteCount: Int) throws(DataStoreError) {
        #if os(Linux)
        let code = posix_fallocate(descriptor, 0, off_t(byteCount))
        guard [0, EOPNOTSUPP, EINVAL].contains(code) else {
            throw DataStoreError(Errno(rawValue: code), "reserve space for the file", path: path)
        }
        #endif
    }

    /// Returns whether the file can grow by `count` bytes without exceeding the free space of the file system or the
    /// file size limit of the process.
    ///
    /// If the free space or the limit is unknown, it is assumed to be sufficient.
    package func canGrow(byBytes count: UInt64) -> Bool {
        var limit = rlimit()
        var status = up_status()
        if unsafe up_status_of(descriptor, &status) == 0, unsafe getrlimit(Self.fileSizeLimit, &limit) == 0,
            UInt64(limit.rlim_cur) < UInt64(max(0, status.size)) + count
        {
            return false
        }
        var space = statvfs()
        guard unsafe fstatvfs(descriptor, &space) == 0 else { return true }
        return UInt64(space.f_bavail) * UInt64(space.f_frsize) >= count
    }

    #if canImport(Glibc)
    private static let fileSizeLimit = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
    private static let fileSizeLimit = RLIMIT_FSIZE
    #endif

    /// Redirects the descriptor to `/dev/null`. Call this function in a child process, so that the child does not keep
    /// the locks of its parent. The file can no longer be read or written through this object.
    package func detach() {
        let null = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard null >= 0 else { return }
        // The descriptor number stays in use, so that this object never closes another file.
        dup2(null, descriptor)
        _ = systemClose(null)
    }

    /// Sets the permissions, the extended attributes, the access control list and, if the process may change them, the
    /// owner and the group to those of another file. If the group cannot be changed, the current group and the entries
    /// of the access control list get no permissions.
    package func setPermissions(like other: File) throws(DataStoreError) {
        let status = try other.status()
        var permissions = status.permissions
        // The attributes are copied first, because only the owner may set them.
        try checked(up_copy_attributes(other.descriptor, descriptor), "copy the attributes of the file", path)
        if fchown(descriptor, status.owner, status.group) != 0 {
            // Only root may change the owner, and a member of the group may keep the group. If the group differs, it
            // gets no permissions.
            let keepsGroup = fchown(descriptor, uid_t.max, status.group) == 0
            if !keepsGroup { permissions &= ~0o070 }
        }
        try checked(fchmod(descriptor, mode_t(permissions)), "set the permissions of the file", path)
    }

    /// Sets the modification time of the file to the current time with nanosecond precision.
    ///
    /// Without this call, the modification time would be the last tick of the kernel's clock. A later change within the
    /// same tick would then leave the same stamp.
    ///
    /// - Returns: The modification time, in nanoseconds since 1970.
    package func touch() throws(DataStoreError) -> Int64 {
        let now = FileStamp.currentTime
        let time = timespec(tv_sec: Int(now / 1_000_000_000), tv_nsec: Int(now % 1_000_000_000))
        try checked(unsafe futimens(descriptor, [time, time]), "set the time of the file", path)
        return now
    }
}

private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

// Within `File`, the names `close` and `write` refer to its own functions.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}
