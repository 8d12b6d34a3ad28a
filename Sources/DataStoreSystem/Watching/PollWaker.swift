/// A pair of connected descriptors with which one thread wakes another from poll(2).
final class PollWaker: Sendable {
    /// The file descriptor that the waiting thread polls.
    let descriptor: Int32
    private let other: Int32

    /// Creates the pair. Returns `nil` if the system cannot create it, e.g. because the process has no file descriptor
    /// left.
    init?() {
        var descriptors: [Int32] = [-1, -1]
        #if os(Linux)
        // The call fills both elements.
        #if canImport(Glibc)
        let kind = [SOCK_STREAM, SOCK_CLOEXEC, SOCK_NONBLOCK].reduce(0) { $0 | Int32($1.rawValue) }
        #else
        let kind = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK
        #endif
        // Unlike a pipe, the pair is created with close-on-exec, so a child process that starts meanwhile does not
        // inherit it.
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

    /// Wakes the waiting thread.
    func wake() {
        // If the buffer is full, the thread is already due to wake up.
        var byte: UInt8 = 1
        _ = unsafe write(other, &byte, 1)
    }

    /// Discards all pending wake-ups.
    func reset() {
        var bytes = (UInt64(0), UInt64(0))
        // Each call reads at most the size of `bytes`.
        while unsafe read(descriptor, &bytes, MemoryLayout.size(ofValue: bytes)) > 0 {}
    }

    /// Waits until the function `wake` of `waker` is called, `other` is readable, or the time limit is reached. May
    /// return early, e.g. after a signal.
    ///
    /// - Parameters:
    ///   - waker: The waker, or `nil` to wait without one.
    ///   - other: The file descriptor, or `nil` to wait without one.
    ///   - milliseconds: The time limit in milliseconds.
    static func wait(for waker: PollWaker?, or other: Int32?, atMost milliseconds: Int32) {
        var polled = [waker?.descriptor, other].compactMap(\.self).map { descriptor in
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        }
        // An early return, e.g. after a signal, only causes an additional check.
        _ = unsafe poll(&polled, nfds_t(polled.count), milliseconds)
        waker?.reset()
    }
}
