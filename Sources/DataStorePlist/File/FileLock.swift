import DataStoreCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The lock of a lock file, held until this is gone. The operating system lets go of it when the process ends, however it
/// ends.
struct FileLock: ~Copyable {
    /// How long to wait for another process, in nanoseconds.
    private static let patience: Int64 = 30_000_000_000

    private let descriptor: Int32

    /// Takes the lock of a lock file, which is made where there is none.
    init(_ path: String) throws(DataStoreError) {
        let deadline = FileSystem.now() + Self.patience
        while true {
            // A FIFO must not keep it waiting.
            // Unsafe is only the path, which the call reads before it returns.
            let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw FileSystem.failure("open the lock file", path) }
            do throws(DataStoreError) {
                try Self.wait(for: descriptor, path, until: deadline)
                // Somebody may have removed the file meanwhile: then the lock is one that nobody else sees.
                if try FileSystem.isFile(descriptor, at: path) {
                    self.descriptor = descriptor
                    return
                }
            } catch {
                close(descriptor)
                throw error
            }
            close(descriptor)
        }
    }

    deinit { close(descriptor) }

    /// Lets go of the lock.
    consuming func release() {}

    private static func wait(for descriptor: Int32, _ path: String, until deadline: Int64) throws(DataStoreError) {
        var pause: UInt32 = 100
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw FileSystem.failure("lock", path) }
            guard FileSystem.now() < deadline else {
                throw DataStoreError(
                    .busy, "another process has held the lock for 30 seconds; try again", operation: "lock", path: path)
            }
            usleep(pause)
            pause = min(pause * 3 / 2, 2000)
        }
    }
}
