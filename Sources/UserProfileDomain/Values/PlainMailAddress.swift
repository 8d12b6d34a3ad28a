/// Recognizes nearly all mail addresses in one pass over the bytes: an ASCII dot-string, an `@`, an ASCII domain,
/// together at most 64 bytes.
///
/// Every address that is read from a store passes through here. ``MailAddressGrammar`` decides about all others.
enum PlainMailAddress {
    /// Returns whether a text is such an address.
    static func matches(_ text: String) -> Bool {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return false }
        let bytes = text.utf8.span
        // The local part and a label may have about as many bytes.
        guard bytes.count <= 64 else { return false }
        let transitions = transitions.span
        var state = State.localStart.rawValue
        for index in bytes.indices { state = transitions[Int(bytes[index])] &>> state & 63 }
        return state == State.label.rawValue
    }

    // A state is the position of six bits in a word. The word of a byte has the next state at the position of the
    // current one, so a step is a shift: comparisons would be mispredicted, because letters, digits and dots alternate
    // in an address.
    private enum State: UInt64 {
        case rejected = 0
        case localStart = 6
        case local = 12
        case labelStart = 18
        case label = 24
        /// In a label after a hyphen, which cannot be the last byte of a label.
        case hyphen = 30
    }

    /// The word of each byte.
    private static let transitions: [UInt64] = (0...UInt8.max).map { byte in
        let steps: [(from: State, to: State)] =
            switch byte {
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
