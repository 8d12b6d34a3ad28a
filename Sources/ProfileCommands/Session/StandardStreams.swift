#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The file descriptors 0 to 2 of the process.
enum StandardStreams {
    /// Opens `/dev/null` for each standard stream that the caller has closed. Call this function before the program
    /// opens a file.
    ///
    /// The system gives a new file the lowest free descriptor. Without this function, a file of a store could become
    /// standard output, and the next result would overwrite the store. Input is opened for writing and output for
    /// reading, so their use still fails.
    ///
    /// - Returns: Whether all streams are open.
    static func reserve() -> Bool {
        for (stream, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)] {
            // The streams are reserved in ascending order, so a new file has the number of the closed stream.
            if fcntl(stream, F_GETFD) == -1, unsafe open("/dev/null", mode) != stream { return false }
        }
        return true
    }
}
