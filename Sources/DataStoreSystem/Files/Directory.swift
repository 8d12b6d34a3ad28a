import CDataStoreSystem
import SystemPackage

/// An open directory. Its functions access entries by name relative to the open descriptor. If a parent directory is
/// moved or replaced, the object therefore still refers to the same directory. Symbolic links among the entries are not
/// followed.
///
/// Each `unsafe` expression passes a name or a structure to a system call, which accesses it only until the call
/// returns.
package final class Directory: Sendable {
    /// The path of the directory, for error messages and for the few system calls that need a path.
    package let path: String

    /// The file descriptor of the directory. Callers must not close it.
    package let descriptor: Int32

    private init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// Opens a directory. Symbolic links in its path are followed.
    package convenience init(_ path: String) throws(DataStoreError) {
        try reserveStandardStreams()
        let descriptor = unsafe up_open_directory(AT_FDCWD, path, 1)
        try checked(descriptor, "open the directory", path)
        self.init(descriptor: descriptor, path: path)
    }

    /// Opens a directory. Returns `nil` if nothing exists at the path.
    package static func ifExists(_ path: String) throws(DataStoreError) -> Directory? {
        do throws(DataStoreError) {
            return try Directory(path)
        } catch  where error.errno == ENOENT {
            return nil
        }
    }

    /// Opens a directory. If it does not exist, creates it and its missing parent directories with mode 0700, and makes
    /// them durable.
    package static func creating(_ path: String) throws(DataStoreError) -> Directory {
        if let directory = try ifExists(path) { return directory }
        let entry = Path(path)
        guard entry.hasEntryName else { return try Directory(path) }
        let parent = try creating(entry.parent)
        _ = try parent.makeDirectory(entry.name)
        try parent.sync()
        return try Directory(path)
    }

    /// Opens the directory for a new entry at a path, like ``creating(_:)``, and verifies that the entry can be created
    /// there.
    ///
    /// - Parameters:
    ///   - path: The path of the entry.
    ///   - kind: What the caller creates, for the error message, e.g. "file".
    /// - Returns: The directory and the name of the entry. A program may still create the entry in the meantime.
    /// - Throws: `DataStoreError` with the code `notAStore` if the path has no name or exists, or if every user may
    ///   replace the entries of the directory.
    package static func forNewEntry(
        at path: String, _ kind: String
    ) throws(DataStoreError) -> (directory: Directory, name: String) {
        let target = Path(path)
        guard target.hasEntryName else {
            throw DataStoreError(
                .notAStore, "\(path.escapingControlCharacters) has no \(kind) name; choose another path")
        }
        let directory = try creating(target.parent)
        try directory.checkPermissions()
        if try directory.status(of: target.name) != nil { throw DataStoreError.exists(path) }
        return (directory, target.name)
    }

    /// A path that refers to this directory even after the directory has been moved. Without `/proc`, it is the
    /// original ``path``.
    package var pathOfDescriptor: String {
        let path = "/proc/self/fd/\(descriptor)"
        // The path is read before the call returns.
        return unsafe access(path, F_OK) == 0 ? path : self.path
    }

    /// Returns the path of an entry of the directory.
    package func path(of name: String) -> String {
        path.utf8.last == UInt8(ascii: "/") ? path + name : "\(path)/\(name)"
    }

    // MARK: Entries

    /// Returns the attributes of an entry, or `nil` if the entry does not exist.
    package func status(of name: String) throws(DataStoreError) -> FileStatus? {
        var status = up_status()
        let code = unsafe up_status_at(descriptor, name, 0, &status)
        return try checked(code, "query the file", path(of: name), or: ENOENT).map { _ in FileStatus(status) }
    }

    /// Returns the attributes of the directory itself.
    package func status() throws(DataStoreError) -> FileStatus {
        try FileStatus.of(descriptor: descriptor, path: path)
    }

    /// Throws `DataStoreError` with the code `notAStore` if every user may replace the entries of the directory. Such a
    /// directory may not contain a store, a backup or an export.
    package func checkPermissions() throws(DataStoreError) {
        guard try status().isReplaceableByEveryone else { return }
        throw DataStoreError(
            .notAStore, "every user may replace files in the directory; run chmod o-w on it", path: path)
    }

    /// The name of the directory's file system if it is a network file system or FUSE, e.g. `NFS`. Otherwise `nil`.
    package var remoteFileSystem: String? {
        switch up_file_system(descriptor) {
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

    /// Returns the target of a symbolic link. Throws `DataStoreError` with the code `inputOutput` if the link cannot be
    /// read or the target is not UTF-8.
    package func destination(of name: String) throws(DataStoreError) -> String {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlinkat(descriptor, name, &bytes, Int(PATH_MAX))
        try checked(Int32(count), "read the symbolic link", path(of: name))
        guard let target = String(validating: bytes.prefix(count), as: UTF8.self) else {
            throw DataStoreError(
                .inputOutput, "the target of the symbolic link is not UTF-8; rename the target",
                operation: "read the symbolic link", path: path(of: name))
        }
        return target
    }

    /// Returns the names of the entries whose names fulfill a condition.
    package func names(where isIncluded: (String) -> Bool) throws(DataStoreError) -> [String] {
        // The stream takes ownership of this second descriptor.
        let copy = unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = unsafe fdopendir(copy) else {
            throw DataStoreError(Errno(rawValue: errno), "list the directory", path: path)
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            // The name ends with a NUL within the entry, which is valid until the next `readdir`.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if isIncluded(name) { names.append(name) }
        }
        return names
    }

    // MARK: Files

    /// Opens a regular file. Returns `nil` if the file does not exist.
    ///
    /// - Throws: `DataStoreError` with the code `notAStore` if the entry is not a regular file, e.g. a symbolic link or
    ///   a directory.
    package func open(_ name: String, forWriting: Bool = false) throws(DataStoreError) -> File? {
        let mode = forWriting ? O_RDWR : O_RDONLY
        // The call does not block. Without `O_NONBLOCK`, opening a FIFO would wait for its other end.
        let file = unsafe openat(descriptor, name, mode | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            let code = errno
            if code == ENOENT { return nil }
            if let status = try status(of: name), status.kind != .regular {
                throw Self.notRegular(status, path(of: name))
            }
            throw DataStoreError(Errno(rawValue: code), "open the file", path: path(of: name))
        }
        let opened = File(descriptor: file, path: path(of: name))
        let status = try opened.status()
        guard status.kind == .regular else { throw Self.notRegular(status, path(of: name)) }
        return opened
    }

    /// Creates a file with mode 0600, regardless of the umask of the process. Returns `nil` if the name exists.
    package func create(_ name: String) throws(DataStoreError) -> File? {
        let opened = unsafe openat(descriptor, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard let created = try checked(opened, "create the file", path(of: name), or: EEXIST) else { return nil }
        let file = File(descriptor: created, path: path(of: name))
        try checked(fchmod(created, 0o600), "set the permissions of the file", file.path)
        return file
    }

    /// Opens a regular file for reading and writing. If it does not exist, creates it with mode 0600.
    package func openOrCreate(_ name: String) throws(DataStoreError) -> File {
        for _ in 0..<100 {
            if let file = try open(name, forWriting: true) { return file }
            if let file = try create(name) { return file }
        }
        throw DataStoreError(.busy, "another process keeps creating and removing the file; retry", path: path(of: name))
    }

    /// Creates a directory with an unpredictable name, `.NAME.KIND-RANDOM`, and mode 0700.
    package func makeTemporaryDirectory(for name: String, _ kind: String) throws(DataStoreError) -> (
        name: String, directory: Directory
    ) {
        for _ in 0..<100 {
            let temporary = Self.temporaryName(for: name, kind)
            // Another process may have removed the directory.
            if try makeDirectory(temporary), let directory = try subdirectory(temporary) {
                return (temporary, directory)
            }
        }
        throw DataStoreError(.busy, "another process keeps removing the directory; retry", path: path(of: name))
    }

    /// Creates a subdirectory with mode 0700, regardless of the umask of the process. Returns `false` if the name
    /// exists.
    private func makeDirectory(_ name: String) throws(DataStoreError) -> Bool {
        let created = unsafe mkdirat(descriptor, name, 0o700)
        guard try checked(created, "create the directory", path(of: name), or: EEXIST) != nil else { return false }
        guard let permissions = try status(of: name)?.permissions, permissions & 0o700 != 0o700 else { return true }
        let changed = unsafe fchmodat(descriptor, name, mode_t(permissions | 0o700), AT_SYMLINK_NOFOLLOW)
        try checked(changed, "set the permissions of the directory", path(of: name))
        return true
    }

    /// Opens a subdirectory. Returns `nil` if the entry does not exist or is not a directory.
    package func subdirectory(_ name: String) throws(DataStoreError) -> Directory? {
        let path = path(of: name)
        let opened = unsafe up_open_directory(descriptor, name, 0)
        return try checked(opened, "open the directory", path, or: ENOENT, ENOTDIR, ELOOP)
            .map { Directory(descriptor: $0, path: path) }
    }

    /// The maximum size in bytes of a file name that a temporary name contains in full. It leaves room for the rest of
    /// the temporary name, because names are limited to 255 bytes.
    private static let maximumNameByteCount = 200

    /// The numbers with 13 digits in base 36, one of which is the random part of a temporary name.
    private static let randomNumbers: ClosedRange<UInt64> = 4_738_381_338_321_616_896...(.max)
    private static let randomDigitCount = 13
    private static let digits = "0123456789abcdefghijklmnopqrstuvwxyz"

    /// Returns an unpredictable name, `.NAME.KIND-RANDOM`.
    static func temporaryName(for name: String, _ kind: String) -> String {
        temporaryPrefix(for: name, kind) + String(UInt64.random(in: randomNumbers), radix: 36)
    }

    /// Returns the prefix `.NAME.KIND-` of the temporary names for a file name. A longer file name is truncated.
    private static func temporaryPrefix(for name: String, _ kind: String) -> String {
        ".\(String(decoding: name.utf8.prefix(maximumNameByteCount), as: UTF8.self)).\(kind)-"
    }

    /// Returns the names of the existing temporary files and directories for a file name, or for any file name if
    /// `name` is `nil`. They have the form `.NAME.KIND-RANDOM`.
    ///
    /// The result is empty if the process has no permission to list the directory. It is also empty if the file name is
    /// so long that another file may have the same temporary names.
    package func temporaryNames(for name: String?, _ kind: String) throws(DataStoreError) -> [String] {
        if let name, name.utf8.count > Self.maximumNameByteCount { return [] }
        let prefix = Array((name.map { Self.temporaryPrefix(for: $0, kind) } ?? ".\(kind)-").utf8)
        do throws(DataStoreError) {
            return try names { candidate in
                // The bytes are compared, because an equivalent spelling is the name of another file.
                let start = candidate.utf8.dropLast(Self.randomDigitCount)
                guard start.first == UInt8(ascii: "."), start.suffix(prefix.count).elementsEqual(prefix),
                    name == nil || start.count == prefix.count
                else { return false }
                return candidate.utf8.suffix(Self.randomDigitCount).allSatisfy(Self.digits.utf8.contains)
            }
        } catch  where error.errno == EACCES {
            return []
        }
    }

    private static func notRegular(_ status: FileStatus, _ path: String) -> DataStoreError {
        let kind =
            switch status.kind {
            case .link: "a symbolic link"
            case .directory: "a directory"
            case .regular, .other: "a special file"
            }
        return DataStoreError(
            .notAStore, "not a regular file but \(kind); choose another path", operation: "open the file", path: path)
    }

    // MARK: Names

    /// Renames an entry.
    ///
    /// - Returns: Whether the entry was renamed. It is `false` if the new name exists and `replaces` is `false`.
    package func rename(_ name: String, to newName: String, replaces: Bool = false) throws(DataStoreError) -> Bool {
        if replaces {
            let result = unsafe renameat(descriptor, name, descriptor, newName)
            return try checked(result, "rename the file", path(of: newName)) != nil
        }
        let result = unsafe up_rename_exclusively(descriptor, name, newName)
        return try checked(result, "rename the file", path(of: newName), or: EEXIST, ENOTEMPTY) != nil
    }

    /// Gives a file the second name `NAME.KIND-1`, or the next free number. The second name remains when the file is
    /// replaced. Unlike a rename, a hard link never replaces a file, and the first name never disappears.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - kind: The kind in the second name, e.g. `replaced`.
    ///   - bytes: The bytes of the file, which are copied if the file system has no hard links.
    /// - Returns: The second name.
    /// - Throws: `DataStoreError`, also if the file system has no hard links and `bytes` is `nil`.
    package func keep(_ name: String, as kind: String, copying bytes: [UInt8]? = nil) throws(DataStoreError) -> String {
        var number = 1
        while true {
            let second = "\(name).\(kind)-\(number)"
            let result = unsafe linkat(descriptor, name, descriptor, second, 0)
            do throws(DataStoreError) {
                if try checked(result, "link the file", path(of: second), or: EEXIST) != nil { return second }
            } catch {
                // The file system does not support hard links, or the file cannot have another one.
                guard let code = error.errno, [EPERM, ENOTSUP, EMLINK, ENOSYS, EXDEV].contains(code), let bytes else {
                    throw error
                }
                if try create(second, with: bytes) { return second }
            }
            number += 1
        }
    }

    /// Removes a file if it exists. Errors are ignored, because a remaining file only wastes space.
    package func remove(_ name: String) { unsafe unlinkat(descriptor, name, 0) }

    /// Removes an empty directory if it exists. Errors are ignored.
    package func removeDirectory(_ name: String) { unsafe unlinkat(descriptor, name, AT_REMOVEDIR) }

    /// Makes changes to the entries of the directory durable.
    package func sync() throws(DataStoreError) { try syncing {} }

    /// Changes entries of the directory and makes the changes durable. If the process has too few descriptors or no
    /// permission for this, nothing is changed.
    ///
    /// - Parameter change: A closure that changes the entries.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure, or `DataStoreError` if the directory cannot be synced.
    package func syncing<Result>(_ change: () throws(DataStoreError) -> Result) throws(DataStoreError) -> Result {
        let listed = unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try checked(listed, "sync the directory", path)
        defer { close(listed) }
        let result = try change()
        try checked(fsync(listed), "sync the directory", path)
        return result
    }
}
