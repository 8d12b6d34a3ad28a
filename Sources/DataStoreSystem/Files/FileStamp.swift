package import CDataStoreSystem
package import DataStoreCore

/// The metadata that distinguishes two states of a file without reading it: identity, size, times, permissions, owner,
/// group and number of hard links.
package struct FileStamp: Equatable, Sendable {
    let stamp: up_stamp

    /// The attributes other than the times.
    package let status: FileStatus

    package init(_ stamp: up_stamp) {
        self.stamp = stamp
        status = FileStatus(stamp.status)
    }

    /// The time of the last change to the contents, in nanoseconds since 1970.
    package var changed: Int64 { stamp.changed }

    /// Returns whether the last change of the file is so old that each later change is visible in the stamp.
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

    package static func == (left: FileStamp, right: FileStamp) -> Bool {
        let (left, right) = (left.stamp, right.stamp)
        return left.status.device == right.status.device && left.status.inode == right.status.inode
            && left.status.size == right.status.size && left.changed == right.changed
            && left.inode_changed == right.inode_changed && left.status.mode == right.status.mode
            && left.status.owner == right.status.owner && left.status.group == right.status.group
            && left.status.link_count == right.status.link_count
    }

    /// Returns the stamp of the file at a path, or `nil` if the file does not exist. Symbolic links are followed.
    package static func of(path: String) throws(DataStoreError) -> FileStamp? {
        var stamp = up_stamp()
        // The path is read and the structure filled before the call returns.
        guard unsafe up_stamp_at(AT_FDCWD, path, &stamp) == 0 else {
            if errno == ENOENT { return nil }
            throw .systemError("query the file", path: path)
        }
        return FileStamp(stamp)
    }
}
