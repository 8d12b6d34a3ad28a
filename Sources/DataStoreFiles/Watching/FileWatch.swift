/// A watch that checks files whenever they may have changed, until it is released: at once after an event of the
/// operating system, and periodically in any case.
///
/// An event only triggers a check, and the check decides whether something changed. A change without an event is
/// therefore detected late but always: after a queue overflow, after a directory was moved, or on a file system without
/// events.
package final class FileWatch: Sendable {
    /// The state that the thread uses. The thread must not retain this object, whose deinitialization ends the watch.
    private let watched: Watched

    /// Starts to watch files.
    ///
    /// - Parameters:
    ///   - places: returns the paths whose changes affect the files. It may access the file system.
    ///   - look: checks the files and returns whether something changed. The first call happens when events are already
    ///     observed. Both closures run on a thread that all watches of the process share.
    /// - Throws: ``NoThread`` if no thread can be started.
    package init(
        places: @escaping @Sendable () -> [Path], look: @escaping @Sendable () -> Bool
    ) throws(NoThread) {
        watched = Watched(places: places, look: look)
        try WatchThread.shared.add(watched)
    }

    deinit { WatchThread.shared.remove(watched) }

    /// The operating system cannot start another thread.
    package struct NoThread: Error {
        /// The error number.
        package let code: Int32
    }
}

/// The closures of a watch.
final class Watched: Sendable {
    /// Returns the paths whose changes affect the files. Neither the entries nor their directories need exist.
    let places: @Sendable () -> [Path]
    /// Checks the files and returns whether something changed.
    let look: @Sendable () -> Bool

    init(places: @escaping @Sendable () -> [Path], look: @escaping @Sendable () -> Bool) {
        self.places = places
        self.look = look
    }
}
