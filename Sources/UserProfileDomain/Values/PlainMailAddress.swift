/// A simple mail address: the local part has only ASCII letters, digits, `.`, `-`, `_` and `+`, and the domain has only
/// ASCII letters, digits, `.` and `-`.
///
/// Nearly all addresses are simple, and one pass over their bytes validates them. ``MailAddressGrammar`` validates all
/// others.
enum PlainMailAddress {
    /// Returns whether a string is a simple mail address of at most 64 bytes.
    static func matches(_ text: String) -> Bool {
        // Within 64 bytes, neither a local part (at most 64 bytes) nor a label (at most 63 bytes) exceeds its limit.
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), text.utf8.count <= 64 else {
            return false
        }
        let bytes = text.utf8.span
        var state = State.localStart.rawValue
        for index in bytes.indices { state = transitions[Int(bytes[index])] &>> state }
        return state & 63 == State.label.rawValue
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
