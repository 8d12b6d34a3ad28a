#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What the operating system tells of the entries of directories: inotify(7) on Linux; nothing elsewhere.
///
/// Only the thread that made it uses it.
final class DirectoryEvents {
    /// What was told of an entry.
    struct Event {
        /// Of which directory; nil: events were lost, it may be any.
        let directory: Int32?
        /// The name of the entry; empty where it is the directory itself.
        let name: String
        /// Whether an entry or the directory came, went or got another name.
        let isMove: Bool
    }

    /// How a directory can be observed.
    enum Outcome: Equatable {
        case observed(Int32)
        case missing
        case impossible
    }

    #if os(Linux)
    /// To be polled.
    let descriptor: Int32

    // A tool that writes a file in place says so with its last byte, and with the end of writing.
    private static let moves =
        UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE_SELF)
        | UInt32(IN_MOVE_SELF)
    private static let mask = moves | UInt32(IN_MODIFY) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_ONLYDIR)
    private static let ends = UInt32(IN_IGNORED) | UInt32(IN_UNMOUNT)

    /// Nil where there is none: users have a number of them.
    init?() {
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// Observes a directory from now on. Of one that is observed already it answers with the same number.
    func observe(_ directory: String) -> Outcome {
        // The path is read before the call returns.
        let number = unsafe inotify_add_watch(descriptor, directory, Self.mask)
        if number >= 0 { return .observed(number) }
        return errno == ENOENT || errno == ENOTDIR ? .missing : .impossible
    }

    /// Observes a directory no longer.
    func stop(_ directory: Int32) { inotify_rm_watch(descriptor, directory) }

    /// What was told since it was asked last.
    func next() -> [Event] {
        var events: [Event] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            // The call fills whole events into the buffer, and says how many bytes they have.
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return events }
            Self.parse(buffer[..<count], into: &events)
        }
    }

    /// Each event is four numbers — directory, mask, cookie, length of the name — and the name, filled up with zeros.
    private static func parse(_ bytes: ArraySlice<UInt8>, into events: inout [Event]) {
        var place = bytes.startIndex
        while place + 16 <= bytes.endIndex {
            let (directory, mask) = (Int32(bitPattern: number(bytes, at: place)), number(bytes, at: place + 4))
            let end = place + 16 + Int(number(bytes, at: place + 12))
            guard end <= bytes.endIndex else { return }
            var name: [UInt8] = []
            for index in place + 16..<end where bytes[index] != 0 { name.append(bytes[index]) }
            events.append(
                Event(
                    directory: mask & UInt32(IN_Q_OVERFLOW) == 0 ? directory : nil,
                    name: String(decoding: name, as: UTF8.self), isMove: mask & (moves | ends) != 0))
            place = end
        }
    }

    /// A number in the order of the machine's bytes.
    private static func number(_ bytes: ArraySlice<UInt8>, at offset: Int) -> UInt32 {
        var number: UInt32 = 0
        for index in 0..<4 { number |= UInt32(bytes[offset + index]) << UInt32(8 * index) }
        // As a little-endian machine would have it; another one turns it round.
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
