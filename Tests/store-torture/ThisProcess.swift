#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What the commands ask of the operating system for this process.
enum ThisProcess {
    /// Ends the process.
    static func exit(_ code: Int32) -> Never {
        #if canImport(Glibc)
        Glibc.exit(code)
        #elseif canImport(Musl)
        Musl.exit(code)
        #else
        Darwin.exit(code)
        #endif
    }

    /// Ends a forked process: what the parent registered with atexit(3) is not its to do.
    static func exitAfterFork(_ code: Int32) -> Never { _exit(code) }

    /// What the open descriptors lead to, without the numbers of what has no name.
    static func openDescriptors() -> [String] {
        entries(of: "/proc/self/fd").compactMap { name in
            var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
            // The call fills at most the buffer and says how much.
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

    /// The threads by their numbers.
    static func threads() -> Set<String> { Set(entries(of: "/proc/self/task")) }

    /// Does nothing for a while.
    static func sleep(milliseconds: Int) {
        var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
        unsafe nanosleep(&time, nil)
    }

    private static func entries(of directory: String) -> [String] {
        guard let stream = unsafe opendir(directory) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            // The name ends with a NUL and is copied before the next call.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
                unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    /// Waits until the standard input has a byte or has ended, as it does when the process that started this one dies.
    static func waitForInput() {
        var byte: UInt8 = 0
        // There is room for the one byte.
        while unsafe read(STDIN_FILENO, &byte, 1) < 0, errno == EINTR {}
    }

    /// Gives up what root may do. Who is not root stays who they are.
    static func becomeNobody() {
        if getuid() == 0 { _ = setuid(65_534) }
    }

    /// Has SIGALRM end the process some seconds from now, if it hangs.
    static func endAfter(seconds: UInt32) { alarm(seconds) }

    /// Makes a copy of this process that has only the calling thread.
    ///
    /// - Returns: the child's process id, and 0 in the child.
    static func fork() -> pid_t { forkTheProcess() }

    /// Waits for a child to end.
    ///
    /// - Returns: how it ended: `exited 0` or `killed 14`.
    static func wait(for child: pid_t) -> String {
        var status: Int32 = 0
        // The status is written before the call returns.
        while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? "exited \(status >> 8 & 0xFF)" : "killed \(signal)"
    }

    /// The largest size that this process may give a file; nil: any. A write beyond it fails with EFBIG, as SIGXFSZ is
    /// ignored; one that begins before it is cut short.
    static func limitFileSize(_ byteCount: Int?) {
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        #else
        let resource = RLIMIT_FSIZE
        #endif
        var limit = rlimit()
        // Only the soft limit is changed: it may be raised again.
        unsafe getrlimit(resource, &limit)
        limit.rlim_cur = byteCount.map { rlim_t($0) } ?? limit.rlim_max
        unsafe setrlimit(resource, &limit)
    }
}

/// Swift hides fork(2), because nearly nothing is safe after it; that is what is tried here.
@_silgen_name("fork")
private func forkTheProcess() -> pid_t
