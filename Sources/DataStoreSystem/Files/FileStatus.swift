package import CDataStoreSystem
package import DataStoreCore

/// The identity of a file, which consists of its device and inode. It does not depend on the names of the file.
package struct FileID: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
}

/// The attributes of a directory entry or an open file, without its times.
package struct FileStatus: Sendable {
    /// The type of a file.
    package enum Kind: Sendable { case regular, directory, link, other }

    package let id: FileID
    package let kind: Kind
    /// The size in bytes.
    package let size: Int64
    /// The permission bits.
    package let permissions: UInt32
    /// The user id of the file's owner.
    package let owner: UInt32
    /// The id of the file's group.
    package let group: UInt32
    /// The number of hard links to the file, i.e. of its names. It is 0 after the last name has been removed.
    package let linkCount: UInt64

    /// Whether the effective user of this process owns the file.
    package var isOwn: Bool { owner == geteuid() }

    /// Whether every user may replace the entries of the directory. In a directory with the sticky bit, e.g. `/tmp`,
    /// only the owner of an entry may replace it.
    var isReplaceableByEveryone: Bool { permissions & 0o1002 == 0o002 }

    package init(_ status: up_status) {
        id = FileID(device: status.device, inode: status.inode)
        kind =
            switch status.mode & 0o170000 {
            case 0o100000: .regular
            case 0o040000: .directory
            case 0o120000: .link
            default: .other
            }
        size = status.size
        permissions = status.mode & 0o7777
        owner = status.owner
        group = status.group
        linkCount = status.link_count
    }
}

extension FileStatus {
    /// Returns the attributes of the file at a path, or `nil` if nothing exists there. A symbolic link in the last
    /// component is not followed.
    package static func of(path: String) throws(DataStoreError) -> FileStatus? {
        var status = up_status()
        // The path is read and the structure filled before the call returns. `withCString` does not copy the path.
        let code = unsafe path.withCString { path in unsafe up_status_at(AT_FDCWD, path, &status) }
        guard code == 0 else {
            if errno == ENOENT { return nil }
            throw .systemError("query the file", path: path)
        }
        return FileStatus(status)
    }

    /// Returns the attributes of an open file.
    package static func of(descriptor: Int32) throws(DataStoreError) -> FileStatus {
        var status = up_status()
        // The structure is filled before the call returns.
        guard unsafe up_status_of(descriptor, &status) == 0 else { throw .systemError("query the file") }
        return FileStatus(status)
    }
}
