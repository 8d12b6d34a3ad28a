/// A validator for the IP addresses in mail address literals (RFC 5321, section 4.1.3).
enum IPAddressGrammar {
    /// Returns whether a string is an `IPv4-address-literal`: four numbers from 0 to 255, in one to three digits each,
    /// separated by dots.
    static func isIPv4(_ text: ArraySlice<UInt8>) -> Bool {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.count) && part.allSatisfy { (0x30...0x39).contains($0) }
                    && part.reduce(0) { $0 * 10 + Int($1 - 0x30) } <= 255
            }
    }

    /// Returns whether a string is an IPv6 address in one of the forms `IPv6-full`, `IPv6-comp`, `IPv6v4-full` and
    /// `IPv6v4-comp`.
    ///
    /// The address has eight groups of 16 bits. An IPv4 address may represent the last two groups. `::` may occur once
    /// and stands for two or more groups of zeros.
    static func isIPv6(_ text: ArraySlice<UInt8>) -> Bool {
        let colon = UInt8(ascii: ":")
        let gaps = text.indices.dropLast().filter { text[$0] == colon && text[$0 + 1] == colon }
        guard let gap = gaps.first else { return groupCount(text) == 8 }
        guard gaps.count == 1 else { return false }
        let (before, after) = (text[..<gap], text[(gap + 2)...])
        // An IPv4 address is valid only at the end of the whole text.
        guard !before.contains(UInt8(ascii: ".")), let left = groupCount(before), let right = groupCount(after)
        else { return false }
        return left + right <= 6
    }

    /// Returns the number of 16-bit groups in a part of an address, or `nil` if a group is invalid. An IPv4 address at
    /// the end counts as two groups.
    private static func groupCount(_ text: ArraySlice<UInt8>) -> Int? {
        guard !text.isEmpty else { return 0 }
        var groups = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var count = 0
        if let last = groups.last, last.contains(UInt8(ascii: ".")) {
            guard isIPv4(last) else { return nil }
            groups.removeLast()
            count = 2
        }
        let isHex = { (byte: UInt8) in
            (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & 0xDF)
        }
        guard groups.allSatisfy({ (1...4).contains($0.count) && $0.allSatisfy(isHex) }) else { return nil }
        return count + groups.count
    }
}
