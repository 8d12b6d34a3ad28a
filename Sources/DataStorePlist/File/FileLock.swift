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
///
/// Who waits asks again and again. All do so equally often, and who has just had the lock while others waited lets them go
/// first: otherwise a process that saves all the time could take it again each time, and the others had it never.
struct FileLock: ~Copyable {
    /// How long to wait while nobody saves anything, in nanoseconds: as long as others do, it is a matter of time.
    private static let patience: Int64 = 30_000_000_000

    /// How long to wait before asking again, in microseconds.
    private static let pause: UInt32 = 300

    private let descriptor: Int32

    /// Whether somebody else had it.
    let hasWaited: Bool

    /// Takes the lock of a file: that of the lock file beside it, which is made where there is none.
    ///
    /// - Parameters:
    ///   - file: the file; not a symbolic link.
    ///   - isYielding: whether to let others go first.
    /// - Throws: `DataStoreError`: `busy` where another process holds it and does nothing, `inputOutput`.
    init(of file: String, isYielding: Bool) throws(DataStoreError) {
        let path = file + ".lock"
        if isYielding { usleep(4 * Self.pause) }
        while true {
            // A FIFO must not keep it waiting.
            // Unsafe is only the path, which the call reads before it returns.
            let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw FileSystem.failure("open the lock file", path) }
            do throws(DataStoreError) {
                let hasWaited = try Self.wait(for: descriptor, path, of: file)
                // Somebody may have removed the file meanwhile: then the lock is one that nobody else sees.
                if try FileSystem.isFile(descriptor, at: path) {
                    self.descriptor = descriptor
                    self.hasWaited = hasWaited
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

    /// - Returns: whether somebody else had it.
    private static func wait(
        for descriptor: Int32, _ path: String, of file: String
    ) throws(DataStoreError) -> Bool {
        var hasWaited = false
        var deadline = FileSystem.now() + patience
        var stamp: FileStamp?
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw FileSystem.failure("lock", path) }
            if !hasWaited { stamp = try FileSystem.stamp(of: file) }
            hasWaited = true
            if FileSystem.now() > deadline {
                let before = stamp
                stamp = try FileSystem.stamp(of: file)
                guard stamp != before else {
                    throw DataStoreError(
                        .busy, "another process has held the lock for 30 seconds; try again", operation: "lock",
                        path: path)
                }
                deadline = FileSystem.now() + patience
            }
            usleep(pause)
        }
        return hasWaited
    }
}
