#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Two descriptors that wake a thread which waits in poll(2).
final class Bell: Sendable {
    /// What the thread polls.
    let descriptor: Int32
    private let other: Int32

    /// Makes both; nil where the process has no descriptor left.
    init?() {
        var descriptors: [Int32] = [-1, -1]
        #if os(Linux)
        // The call fills both.
        #if canImport(Glibc)
        let kind = [SOCK_STREAM, SOCK_CLOEXEC, SOCK_NONBLOCK].reduce(0) { $0 | Int32($1.rawValue) }
        #else
        let kind = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK
        #endif
        // Unlike of a pipe, no child that is started meanwhile gets a copy of them.
        guard unsafe socketpair(AF_UNIX, kind, 0, &descriptors) == 0 else { return nil }
        #else
        guard unsafe pipe(&descriptors) == 0 else { return nil }
        for descriptor in descriptors {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        }
        #endif
        (descriptor, other) = (descriptors[0], descriptors[1])
    }

    deinit {
        close(descriptor)
        close(other)
    }

    /// Wakes the thread.
    func ring() {
        // A full one wakes it just as well.
        var byte: UInt8 = 1
        _ = unsafe write(other, &byte, 1)
    }

    /// Forgets that it was rung.
    func silence() {
        var bytes = (UInt64(0), UInt64(0))
        // At most as much is read as there is room for.
        while unsafe read(descriptor, &bytes, MemoryLayout.size(ofValue: bytes)) > 0 {}
    }

    /// Waits until it rings, something else can be read, or the time is over.
    ///
    /// - Parameters:
    ///   - bell: the bell, where there is one.
    ///   - other: another descriptor, where there is one.
    ///   - milliseconds: how long at most.
    static func wait(for bell: Bell?, or other: Int32?, atMost milliseconds: Int32) {
        var polled = [bell?.descriptor, other].compactMap(\.self).map { descriptor in
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        }
        // What ends it early is a reason to look, too.
        _ = unsafe poll(&polled, nfds_t(polled.count), milliseconds)
        bell?.silence()
    }
}
