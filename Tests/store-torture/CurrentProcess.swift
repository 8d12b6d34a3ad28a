#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The operating system calls of the commands for this process.
enum CurrentProcess {
    static func exit(_ code: Int32) -> Never {
        #if canImport(Glibc)
        Glibc.exit(code)
        #elseif canImport(Musl)
        Musl.exit(code)
        #else
        Darwin.exit(code)
        #endif
    }

    /// Ends a forked process without the atexit(3) handlers of the parent.
    static func exitAfterFork(_ code: Int32) -> Never { _exit(code) }

    /// Returns the targets of the open descriptors. The inode numbers of sockets and pipes are omitted.
    static func openDescriptors() -> [String] {
        entries(of: "/proc/self/fd").compactMap { name in
            var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
            // The call writes at most as many bytes as the buffer holds, and returns the count.
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe buffer.bindMemory(to: CChar.self).baseAddress.map { base in
                    unsafe readlink("/proc/self/fd/\(name)", base, buffer.count)
                } ?? -1
            }
            guard count > 0 else { return nil }
            let path = String(decoding: bytes.prefix(count), as: UTF8.self)
            return path.hasPrefix("/") || path.hasPrefix("anon_inode") ? path : path.prefix { $0 != ":" }.description
        }.sorted()
    }

    /// Returns the ids of the threads.
    static func threads() -> Set<String> { Set(entries(of: "/proc/self/task")) }

    static func sleep(milliseconds: Int) {
        var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
        unsafe nanosleep(&time, nil)
    }

    private static func entries(of directory: String) -> [String] {
        guard let stream = unsafe opendir(directory) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            // The name is NUL-terminated and is copied before the next call.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
                unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    /// Waits until standard input has a byte or has ended, which happens when the parent process dies.
    static func waitForInput() {
        var byte: UInt8 = 0
        // The buffer holds the one byte.
        while unsafe read(STDIN_FILENO, &byte, 1) < 0, errno == EINTR {}
    }

    /// Drops the privileges of root. Other users are not changed.
    static func dropPrivileges() {
        if getuid() == 0 { _ = setuid(65_534) }
    }

    /// Makes SIGALRM end the process after some seconds if it hangs.
    static func endAfter(seconds: UInt32) { alarm(seconds) }

    /// Forks this process. The child has only the calling thread.
    ///
    /// - Returns: The process id of the child, or 0 in the child.
    static func fork() -> pid_t { forkTheProcess() }

    /// Waits for a child to end.
    ///
    /// - Returns: How it ended: `exited 0` or `killed 14`.
    static func wait(for child: pid_t) -> String {
        var status: Int32 = 0
        // The call fills the status before it returns.
        while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? "exited \(status >> 8 & 0xFF)" : "killed \(signal)"
    }

    /// Sets the file size limit of this process; `nil` removes it. SIGXFSZ is ignored, so a write that starts beyond
    /// the limit fails with EFBIG; a write that starts before it is truncated.
    static func limitFileSize(_ byteCount: Int?) {
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        #else
        let resource = RLIMIT_FSIZE
        #endif
        var limit = rlimit()
        // Only the soft limit is changed, so that it can be raised again.
        unsafe getrlimit(resource, &limit)
        limit.rlim_cur = byteCount.map { rlim_t($0) } ?? limit.rlim_max
        unsafe setrlimit(resource, &limit)
    }
}

/// Swift does not import fork(2), because hardly anything is safe after it. This program tests exactly that.
@_silgen_name("fork")
private func forkTheProcess() -> pid_t
