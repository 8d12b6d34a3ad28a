#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A notification of forks. A child process has a copy of its parent's memory, in which the environment looks open. It
/// has neither the parent's locks nor its threads.
enum ForkWatch {
    /// Registers functions that are called whenever the process forks: before the fork, and after it in the parent and
    /// in the child.
    static func onFork(
        prepare: @escaping @convention(c) () -> Void, parent: @escaping @convention(c) () -> Void,
        child: @escaping @convention(c) () -> Void
    ) {
        // The call fails only if there is no memory for three pointers.
        pthread_atfork(prepare, parent, child)
    }
}
