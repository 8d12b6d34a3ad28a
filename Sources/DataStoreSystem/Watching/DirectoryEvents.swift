/// A queue of file-system events for the entries of directories. It uses inotify(7) on Linux and is not available on
/// other systems.
///
/// Only the thread that created the queue may use it.
final class DirectoryEvents {
    /// An event: a change to a directory or to one of its entries.
    struct Event {
        /// The number of the directory, which ``observe(_:)`` has returned. It is `nil` if events were lost and any
        /// directory may have changed.
        let directory: Int32?
        /// The name of the entry. It is empty if the event concerns the directory itself.
        let name: String
        /// Whether the entry or the directory was created, deleted or renamed, or the directory is no longer observed.
        /// If `false`, the contents of the entry were written.
        let isMove: Bool
    }

    /// The result of an attempt to observe a directory.
    enum Outcome: Equatable {
        case observed(Int32)
        case missing
        case impossible
    }

    #if os(Linux)
    /// The file descriptor that becomes readable when an event arrives.
    let descriptor: Int32

    // In-place writes are reported by `IN_MODIFY` and, when the writer closes the file, by `IN_CLOSE_WRITE`.
    private static let moves =
        UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE_SELF)
        | UInt32(IN_MOVE_SELF)
    private static let mask = moves | UInt32(IN_MODIFY) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_ONLYDIR)
    private static let ends = UInt32(IN_IGNORED) | UInt32(IN_UNMOUNT)

    /// Creates an event queue. Returns `nil` if the system cannot create one, e.g. because the user has reached the
    /// limit of inotify instances.
    init?() {
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// Starts to observe a directory. A directory that is already observed keeps its number.
    func observe(_ directory: String) -> Outcome {
        // The path is read before the call returns.
        let number = unsafe inotify_add_watch(descriptor, directory, Self.mask)
        if number >= 0 { return .observed(number) }
        return errno == ENOENT || errno == ENOTDIR ? .missing : .impossible
    }

    /// Stops observing a directory, given by the number that ``observe(_:)`` returned.
    func stop(_ directory: Int32) { inotify_rm_watch(descriptor, directory) }

    /// Returns the events that arrived since the last call.
    func next() -> [Event] {
        var events: [Event] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            // The call fills the buffer with whole events and returns their number of bytes.
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return events }
            Self.parse(buffer[..<count], into: &events)
        }
    }

    /// Parses events. Each event consists of four numbers (directory, mask, cookie, length of the name) and the
    /// zero-padded name.
    private static func parse(_ bytes: ArraySlice<UInt8>, into events: inout [Event]) {
        var offset = bytes.startIndex
        while offset + 16 <= bytes.endIndex {
            let (directory, mask) = (Int32(bitPattern: number(bytes, at: offset)), number(bytes, at: offset + 4))
            let end = offset + 16 + Int(number(bytes, at: offset + 12))
            guard end <= bytes.endIndex else { return }
            var name: [UInt8] = []
            for index in offset + 16..<end where bytes[index] != 0 { name.append(bytes[index]) }
            events.append(
                Event(
                    directory: mask & UInt32(IN_Q_OVERFLOW) == 0 ? directory : nil,
                    name: String(decoding: name, as: UTF8.self), isMove: mask & (moves | ends) != 0))
            offset = end
        }
    }

    /// Returns the 32-bit number whose bytes, in the machine's byte order, are at an offset.
    private static func number(_ bytes: ArraySlice<UInt8>, at offset: Int) -> UInt32 {
        var number: UInt32 = 0
        for index in 0..<4 { number |= UInt32(bytes[offset + index]) << UInt32(8 * index) }
        // `number` was read as little-endian. On a big-endian machine this swaps the bytes.
        return UInt32(littleEndian: number)
    }
    #else
    let descriptor: Int32 = -1
    init?() { return nil }
    func observe(_ directory: String) -> Outcome { .impossible }
    func stop(_ directory: Int32) {}
    func next() -> [Event] { [] }
    #endif
}
