#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Tells when the process forks: a child has the memory of its parent and so what looks like an open environment, but
/// neither its locks nor its threads.
enum ForkWatch {
    /// Has functions called whenever the process forks: before, and after it in the parent and in the child.
    static func onFork(
        prepare: @escaping @convention(c) () -> Void, parent: @escaping @convention(c) () -> Void,
        child: @escaping @convention(c) () -> Void
    ) {
        // It fails only where there is no memory for three pointers.
        pthread_atfork(prepare, parent, child)
    }
}
