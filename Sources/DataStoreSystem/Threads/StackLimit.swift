package import DataStoreCore

/// The limit of the stack size (`ulimit -s`), which applies to the main thread and, with glibc, to new threads.
package enum StackLimit {
    /// The stack size in KiB that suffices for the most deeply nested condition, also in a debug build.
    private static let minimum = 1024

    /// Checks the stack size. With a smaller stack, the process would crash when it reads a deeply nested condition.
    ///
    /// - Throws: `DataStoreError` with the code `full` if the limit is too small.
    package static func check() throws(DataStoreError) {
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_STACK.rawValue)
        #else
        let resource = RLIMIT_STACK
        #endif
        var limit = rlimit()
        // The call fills the structure before it returns.
        guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur < minimum << 10 else { return }
        throw DataStoreError(
            .full,
            "the stack limit is \(limit.rlim_cur >> 10) KiB, and at least \(minimum) KiB are needed; "
                + "raise it (ulimit -s \(minimum)) and retry")
    }
}
