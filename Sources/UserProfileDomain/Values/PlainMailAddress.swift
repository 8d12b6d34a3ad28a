/// A fast recognizer for simple mail addresses: at most 64 bytes, with only ASCII letters, digits, `.`, `-`, `_` and
/// `+` in the local part, and only ASCII letters, digits, `.` and `-` in the domain.
///
/// Every address that is read from a store passes through the recognizer, and nearly all addresses are simple.
/// ``MailAddressGrammar`` validates all others.
enum PlainMailAddress {
    /// Returns whether a string is a simple mail address.
    static func matches(_ text: String) -> Bool {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return false }
        return matches(text.utf8.span)
    }

    /// Returns whether UTF-8 bytes are a simple mail address.
    static func matches(_ bytes: Span<UInt8>) -> Bool {
        // Within 64 bytes, neither a local part (at most 64 bytes) nor a label (at most 63 bytes) exceeds its limit.
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), bytes.count <= 64 else { return false }
        var state = State.localStart.rawValue
        // A shift ignores all bits of the state but the last six.
        for index in bytes.indices { state = transitions[Int(bytes[index])] &>> state }
        return state & 63 == State.label.rawValue
    }

    /// Copies a simple mail address that is at most 32 bytes long. Returns `nil` for any other string.
    @inline(__always)
    static func inlineText(_ bytes: Span<UInt8>) -> InlineText? {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), bytes.count <= 32 else { return nil }
        var copy = InlineArray<32, UInt8>(repeating: 0)
        var state = State.localStart.rawValue
        // One loop validates and copies, because a second one would take as long as the first.
        for index in bytes.indices {
            let byte = bytes[index]
            state = transitions[Int(byte)] &>> state
            copy[index] = byte
        }
        return state & 63 == State.label.rawValue ? InlineText(copy) : nil
    }

    // A state is the bit offset of a six-bit field in a 64-bit word. Each byte value has a word whose field at the
    // current state holds the next state, so a transition is one shift. Comparisons would be mispredicted, because
    // letters, digits and dots alternate in an address.
    private enum State: UInt64 {
        case rejected = 0
        case localStart = 6
        case local = 12
        case labelStart = 18
        case label = 24
        /// The last byte was a hyphen in a label. A label cannot end in a hyphen.
        case hyphen = 30
    }

    /// The transition table, with one word for each byte value. Each word contains the next state for every current
    /// state.
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    private static let transitions = InlineArray<256, UInt64> { index in
        let steps: [(from: State, to: State)] =
            switch UInt8(truncatingIfNeeded: index) {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                [(.localStart, .local), (.local, .local), (.labelStart, .label), (.label, .label), (.hyphen, .label)]
            case UInt8(ascii: "-"):
                [(.localStart, .local), (.local, .local), (.label, .hyphen), (.hyphen, .hyphen)]
            case UInt8(ascii: "_"), UInt8(ascii: "+"): [(.localStart, .local), (.local, .local)]
            case UInt8(ascii: "."): [(.local, .localStart), (.label, .labelStart)]
            case UInt8(ascii: "@"): [(.local, .labelStart)]
            default: []
            }
        return steps.reduce(0) { $0 | $1.to.rawValue << $1.from.rawValue }
    }
}

extension String {
    /// Creates a string from UTF-8, or returns `nil` if the bytes are not UTF-8.
    init?(wellFormed bytes: Span<UInt8>) {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return nil }
        do {
            self.init(copying: try UTF8Span(validating: bytes))
        } catch {
            return nil
        }
    }
}
