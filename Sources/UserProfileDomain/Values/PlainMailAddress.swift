/// Recognizes in one pass over the bytes what nearly all addresses are: an ASCII dot-string, an `@`, an ASCII domain.
///
/// Every address that is read from a store passes here. What does not match may still be an address, or has a mistake to
/// be named: ``MailAddressGrammar`` decides.
enum PlainMailAddress {
    static func matches(_ text: String) -> Bool {
        var iterator = text.utf8.makeIterator()
        return matchesLocalPart(&iterator) && matchesDomain(&iterator) && text.utf8.count <= 254
    }

    /// Up to the `@`: atoms with single dots between them.
    private static func matchesLocalPart(_ bytes: inout String.UTF8View.Iterator) -> Bool {
        var count = 0
        var isAtomStart = true
        while let byte = bytes.next() {
            switch byte {
            case UInt8(ascii: "@"): return !isAtomStart && count <= 64
            case UInt8(ascii: "."):
                if isAtomStart { return false }
                isAtomStart = true
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                isAtomStart = false
            default: return false
            }
            count += 1
        }
        return false
    }

    /// Up to the end: labels of letters, digits and inner hyphens, with dots between them.
    private static func matchesDomain(_ bytes: inout String.UTF8View.Iterator) -> Bool {
        var labelCount = 0
        var count = 0
        var last = UInt8(ascii: ".")
        while let byte = bytes.next() {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                labelCount += 1
            case UInt8(ascii: "-"):
                if labelCount == 0 { return false }
                labelCount += 1
            case UInt8(ascii: "."):
                if labelCount == 0 || last == UInt8(ascii: "-") { return false }
                labelCount = 0
            default: return false
            }
            if labelCount > 63 { return false }
            count += 1
            last = byte
        }
        return labelCount > 0 && last != UInt8(ascii: "-") && count <= 253
    }
}
