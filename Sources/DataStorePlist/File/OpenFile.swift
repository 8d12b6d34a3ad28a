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

    /// Opens a file; nil where that is not possible, or a symbolic link leads to it.
    init?(_ path: String) {
        // The path is read before the call returns. A FIFO must not keep it waiting.
        descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// The stamp of the file; nil where it cannot be had.
    var stamp: FileStamp? { FileSystem.stamp(of: descriptor) }
}
