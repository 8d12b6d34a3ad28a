/// A watch that checks files after each event of the operating system, and also periodically. The watch ends when it is
/// released.
///
/// An event only triggers a check, and the check decides whether the files have changed. Some changes cause no event,
/// e.g. after a queue overflow, after a directory has been moved, or on a file system without events. The next periodic
/// check detects such a change.
package final class FileWatch: Sendable {
    /// The closures of the watch. The watch thread retains them and not this object, because releasing this object ends
    /// the watch.
    private let watched: WatchedFiles

    /// Starts to watch files. The closures run on a thread that all watches of the process share.
    ///
    /// - Parameters:
    ///   - paths: A closure that returns the paths whose changes affect the files. It may access the file system.
    ///   - check: A closure that checks the files and returns whether they have changed. The watch starts to observe
    ///     events before the first call, so that it misses no later change.
    /// - Throws: ``ThreadStartError`` if no thread can be started.
    package init(
        paths: @escaping @Sendable () -> [Path], check: @escaping @Sendable () -> Bool
    ) throws(ThreadStartError) {
        watched = WatchedFiles(paths: paths, check: check)
        try WatchThread.shared.add(watched)
    }

    deinit { WatchThread.shared.remove(watched) }

    /// An error which states that the operating system cannot start another thread.
    package struct ThreadStartError: Error {
        /// The error number of the operating system.
        package let code: Int32
    }
}

/// The closures of a watch, which the watch thread calls.
final class WatchedFiles: Sendable {
    /// A closure that returns the paths whose changes affect the files. Neither the entries nor their directories need
    /// exist.
    let paths: @Sendable () -> [Path]
    /// A closure that checks the files and returns whether they have changed.
    let check: @Sendable () -> Bool

    init(paths: @escaping @Sendable () -> [Path], check: @escaping @Sendable () -> Bool) {
        self.paths = paths
        self.check = check
    }
}
