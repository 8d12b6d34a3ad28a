extension ContinuousClock {
    /// The current time of a monotonic clock, in milliseconds since an unspecified time. Reading it is cheap, but the
    /// result may lag behind the actual time by a few milliseconds.
    package static var coarseMilliseconds: Int64 {
        var time = timespec()
        #if os(Linux)
        unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        #else
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        #endif
        return Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec) / 1_000_000
    }
}

/// Opens `/dev/null` for each standard stream (descriptor 0 to 2) that is closed. Call this function before a store
/// opens a file or a connection.
///
/// The system gives a new file the lowest free descriptor. If standard output is closed, a file of a store would
/// become standard output, and the next line that the program prints would overwrite the store. Input is opened for
/// writing and output for reading, so that their use still fails.
package func reserveStandardStreams() throws(DataStoreError) {
    for (stream, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
    where fcntl(stream, F_GETFD) == -1 {
        // The streams are reserved in ascending order, so the file has the number of the closed stream, unless
        // another thread has just opened a file.
        let file = unsafe open("/dev/null", mode)
        try checked(file, "open a file for a closed standard stream", "/dev/null")
        if file != stream { close(file) }
    }
}

extension Thread {
    /// The stack size in KiB that suffices for the most deeply nested condition, also in a debug build.
    private static let minimumStackSize = 1024

    /// Checks the limit of the stack size (`ulimit -s`), which applies to the main thread and, with glibc, to new
    /// threads. With a smaller stack, the process would crash when it reads a deeply nested condition.
    ///
    /// - Throws: `DataStoreError` with the code `full` if the limit is too small.
    package static func checkStackLimit() throws(DataStoreError) {
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_STACK.rawValue)
        #else
        let resource = RLIMIT_STACK
        #endif
        var limit = rlimit()
        // The call fills the structure before it returns.
        guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur < minimumStackSize << 10 else { return }
        throw DataStoreError(
            .full,
            "the stack limit is \(limit.rlim_cur >> 10) KiB, and at least \(minimumStackSize) KiB are needed; "
                + "raise it (ulimit -s \(minimumStackSize)) and retry")
    }
}
