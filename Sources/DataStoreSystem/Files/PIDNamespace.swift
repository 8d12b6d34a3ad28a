import DataStoreCore

/// The PID namespace of this process. A process id identifies a process only within its namespace.
package enum PIDNamespace {
    /// The number of the namespace. It is `nil` if the system has no PID namespaces or `/proc` is not mounted.
    package static var current: UInt64? {
        do throws(DataStoreError) {
            return try FileStamp.of(path: "/proc/self/ns/pid")?.status.id.inode
        } catch {
            // The path is a link of the kernel, which a process can always follow for itself.
            return nil
        }
    }
}
