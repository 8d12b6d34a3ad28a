import CDataStorePlist

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that is kept open to be asked whether it has changed: that is much quicker than by its path.
///
/// Whoever changes the file in place, replaces it by renaming another one, removes or renames it, changes its stamp. Only
/// who moves a directory above it, or turns a symbolic link, does not.
final class OpenFile: Sendable {
    private let descriptor: Int32
    private let stamp: up_stamp

    /// Opens a file; nil where that is not possible, or a symbolic link leads to it.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - stamp: what it had when it was read.
    init?(_ path: String, stamp: FileStamp) {
        self.stamp = up_stamp(
            device: stamp.device, inode: stamp.inode, size: stamp.size, changed: stamp.changed,
            inode_changed: stamp.inodeChanged, mode: stamp.mode, owner: stamp.owner, group: stamp.group,
            name_count: stamp.nameCount)
        // The path is read before the call returns. A FIFO must not keep it waiting.
        descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Whether the file has the same stamp still.
    var isUnchanged: Bool {
        var stamp = stamp
        // It is only read, before the call returns.
        return unsafe up_has_stamp(descriptor, &stamp) == 1
    }
}
