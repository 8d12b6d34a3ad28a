package import DataStoreCore

/// The file descriptors 0 to 2 of the process.
package enum StandardStreams {
    /// Opens `/dev/null` for each standard stream that is closed. Call this function before a store opens a file or a
    /// connection.
    ///
    /// The system gives a new file the lowest free descriptor. If standard output is closed, a file of a store would
    /// become standard output, and the next line that the program prints would overwrite the store. Input is opened for
    /// writing and output for reading, so that their use still fails.
    package static func reserve() throws(DataStoreError) {
        for (stream, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(stream, F_GETFD) == -1 {
            // The streams are reserved in ascending order, so the file has the number of the closed stream, unless
            // another thread has just opened a file.
            let file = unsafe open("/dev/null", mode)
            guard file >= 0 else { throw .systemError("open a file for a closed standard stream", path: "/dev/null") }
            if file != stream { close(file) }
        }
    }
}
