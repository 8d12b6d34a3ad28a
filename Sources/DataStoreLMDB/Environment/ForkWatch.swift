import DataStoreSystem

/// The registration of functions that run when the process forks.
///
/// A child process has a copy of its parent's memory, in which an environment looks open. However, the child has
/// neither the threads of its parent nor the locks of liblmdb, which belong to one process.
enum ForkWatch {
    /// Registers functions that run whenever the process forks: before the fork, and after it in the parent and in the
    /// child.
    static func onFork(
        prepare: @escaping @convention(c) () -> Void, parent: @escaping @convention(c) () -> Void,
        child: @escaping @convention(c) () -> Void
    ) {
        // The call fails only if there is no memory for three pointers.
        pthread_atfork(prepare, parent, child)
    }
}
