import CDataStoreSystem

/// The identity of a file, which consists of its device and inode. It does not depend on the names of the file.
package struct FileID: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
}

/// The attributes of a directory entry or an open file, without its times.
package struct FileStatus: Sendable {
    /// The type of a file.
    package enum Kind: Sendable { case regular, directory, link, other }

    private let status: up_status

    init(_ status: up_status) { self.status = status }

    package var id: FileID { FileID(device: status.device, inode: status.inode) }

    package var kind: Kind {
        switch status.mode & 0o170000 {
        case 0o100000: .regular
        case 0o040000: .directory
        case 0o120000: .link
        default: .other
        }
    }

    /// The size in bytes.
    package var size: Int64 { status.size }

    /// The permission bits.
    package var permissions: UInt32 { status.mode & 0o7777 }

    /// The user id of the file's owner.
    package var owner: UInt32 { status.owner }

    /// The id of the file's group.
    package var group: UInt32 { status.group }

    /// The number of hard links to the file, i.e. of its names. It is 0 after the last name has been removed.
    package var linkCount: UInt32 { status.link_count }

    /// Whether the effective user of this process owns the file.
    package var isOwn: Bool { owner == geteuid() }

    /// Whether every user may replace the entries of the directory. In a directory with the sticky bit, e.g. `/tmp`,
    /// only the owner of an entry may replace it.
    var isReplaceableByEveryone: Bool { permissions & 0o1002 == 0o002 }

    /// Returns the attributes of the file at a path, or `nil` if nothing exists there. A symbolic link in the last
    /// component is followed only if `followingLinks` is `true`.
    package static func of(path: String, followingLinks: Bool = false) throws(DataStoreError) -> FileStatus? {
        var status = up_status()
        let follows: Int32 = followingLinks ? 1 : 0
        // The path is read and the structure filled before the call returns. `withCString` does not copy the path.
        let code = unsafe path.withCString { path in unsafe up_status_at(AT_FDCWD, path, follows, &status) }
        return try checked(code, "query the file", path, or: ENOENT).map { _ in FileStatus(status) }
    }

    /// Returns the attributes of an open file.
    package static func of(descriptor: Int32, path: String? = nil) throws(DataStoreError) -> FileStatus {
        var status = up_status()
        // The structure is filled before the call returns.
        try checked(unsafe up_status_of(descriptor, &status), "query the file", path)
        return FileStatus(status)
    }
}

/// The metadata that distinguishes two states of a file without reading it: identity, size, times, permissions, owner,
/// group and number of hard links.
package struct FileStamp: Equatable, Sendable {
    let stamp: up_stamp

    /// The attributes other than the times.
    package var status: FileStatus { FileStatus(stamp.status) }

    /// The time of the last change to the contents, in nanoseconds since 1970.
    package var changed: Int64 { stamp.changed }

    /// Returns whether the last change of the file is old enough for each later one to change the stamp.
    ///
    /// File times advance in steps, and the number of an inode may be reused at once. Two changes within one step can
    /// therefore leave the same stamp. The steps of the kernel's clock are at most ten milliseconds long. Some file
    /// systems store whole seconds (ext4 with inodes of 128 bytes) or even seconds (FAT), so after a time without a
    /// fraction of a second, a step may take two seconds.
    ///
    /// - Parameter now: The current time, in nanoseconds since 1970.
    /// - Returns: Whether each later change is visible in the stamp.
    package func isSettled(at now: Int64) -> Bool {
        let isCoarse = [stamp.changed, stamp.inode_changed].contains { $0 % 1_000_000_000 == 0 }
        return now &- max(stamp.changed, stamp.inode_changed) > (isCoarse ? 2_020_000_000 : 20_000_000)
    }

    /// The current time of the clock that the kernel uses for file times, in nanoseconds since 1970.
    package static var currentTime: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    package static func == (left: FileStamp, right: FileStamp) -> Bool {
        var (left, right) = (left.stamp, right.stamp)
        // The call only compares the structures.
        return unsafe up_is_same_stamp(&left, &right) == 1
    }
}
