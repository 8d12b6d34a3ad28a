/// Recognizes in one pass over the bytes what nearly all addresses are: an ASCII dot-string, an `@`, an ASCII domain.
///
/// Every address that is read from a store passes here. What does not match may still be an address, or has a mistake to
/// be named: ``MailAddressGrammar`` decides.
enum PlainMailAddress {
    /// What a byte may be part of.
    private static let local: UInt8 = 1
    private static let domain: UInt8 = 2
    private static let classes: [UInt8] = (0..<256).map { byte in
        switch UInt8(byte) {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            local | domain
        case UInt8(ascii: "+"), UInt8(ascii: "_"): local
        case UInt8(ascii: "-"): local | domain
        default: 0
        }
    }

    static func matches(_ text: String) -> Bool {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return false }
        return matches(text.utf8.span)
    }

    private static func matches(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count <= 254 else { return false }
        // Atoms before the @ and labels after it: both are runs between dots, with different limits.
        let classes = classes
        var part = local
        var partStart = 0
        var runStart = 0
        var last = UInt8(ascii: ".")
        for index in bytes.indices {
            let byte = bytes[index]
            if classes[Int(byte)] & part == 0 {
                guard index > runStart, isRun(index - runStart, endingWith: last, in: part) else { return false }
                if byte == UInt8(ascii: "@") {
                    guard part == local, index - partStart <= 64 else { return false }
                    part = domain
                    partStart = index + 1
                } else if byte != UInt8(ascii: ".") {
                    return false
                }
                runStart = index + 1
            } else if index == runStart, part == domain, byte == UInt8(ascii: "-") {
                return false
            }
            last = byte
        }
        let count = bytes.count - runStart
        return part == domain && count > 0 && isRun(count, endingWith: last, in: part)
    }

    private static func isRun(_ count: Int, endingWith last: UInt8, in part: UInt8) -> Bool {
        part == local || (count <= 63 && last != UInt8(ascii: "-"))
    }
}
