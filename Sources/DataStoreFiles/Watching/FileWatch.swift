/// A watch that checks files whenever they may have changed, until it is released: at once after an event of the
/// operating system, and periodically in any case.
///
/// An event only triggers a check, and the check decides whether something changed. A change without an event is
/// therefore detected late but always: after a queue overflow, after a directory was moved, or on a file system without
/// events.
package final class FileWatch: Sendable {
    /// The state that the thread uses. The thread must not retain this object, whose deinitialization ends the watch.
    private let watched: WatchedFiles

    /// Starts to watch files.
    ///
    /// - Parameters:
    ///   - paths: Returns the paths whose changes affect the files. It may access the file system.
    ///   - check: Checks the files and returns whether something changed. It is called first when events are
    ///     already observed. Both closures run on a thread that all watches of the process share.
    /// - Throws: ``ThreadStartError`` if no thread can be started.
    package init(
        paths: @escaping @Sendable () -> [Path], check: @escaping @Sendable () -> Bool
    ) throws(ThreadStartError) {
        watched = WatchedFiles(paths: paths, check: check)
        try WatchThread.shared.add(watched)
    }

    deinit { WatchThread.shared.remove(watched) }

    /// The operating system cannot start another thread.
    package struct ThreadStartError: Error {
        /// The error number.
        package let code: Int32
    }
}

/// The closures of a watch.
final class WatchedFiles: Sendable {
    /// Returns the paths whose changes affect the files. Neither the entries nor their directories need exist.
    let paths: @Sendable () -> [Path]
    /// Checks the files and returns whether something changed.
    let check: @Sendable () -> Bool

    init(paths: @escaping @Sendable () -> [Path], check: @escaping @Sendable () -> Bool) {
        self.paths = paths
        self.check = check
    }
}
