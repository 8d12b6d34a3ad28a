/// Has files looked at whenever they may have changed, as long as this is held: at once where the operating system
/// tells of changes, and from time to time in any case.
///
/// That something happened is only a reason to look; what is seen then decides. So a change that nobody was told of —
/// events that were too many, a directory that was moved, a file system that tells nothing — is found late, but it is
/// found.
package final class FileWatch: Sendable {
    /// The part that the thread knows: it must not keep this object, which ends the watch when it goes.
    private let watched: Watched

    /// Begins.
    ///
    /// - Parameters:
    ///   - places: where something happens when the files change. It may look at the file system.
    ///   - look: looks at the files and says whether there was something new. Both run on a thread that all watches of
    ///     the process share; it is called for the first time when changes are already noticed.
    /// - Throws: ``NoThread`` where there can be no thread.
    package init(
        places: @escaping @Sendable () -> [Path], look: @escaping @Sendable () -> Bool
    ) throws(NoThread) {
        watched = Watched(places: places, look: look)
        try WatchThread.shared.add(watched)
    }

    deinit { WatchThread.shared.remove(watched) }

    /// The operating system starts no more threads.
    package struct NoThread: Error {
        /// Its error number.
        package let code: Int32
    }
}

/// What is to be looked at, and how.
final class Watched: Sendable {
    /// Where something happens when the files change: entries of directories that need not be there.
    let places: @Sendable () -> [Path]
    /// Looks at the files and says whether there was something new.
    let look: @Sendable () -> Bool

    init(places: @escaping @Sendable () -> [Path], look: @escaping @Sendable () -> Bool) {
        self.places = places
        self.look = look
    }
}
