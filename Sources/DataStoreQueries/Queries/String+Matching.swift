import DataStoreCore

/// The test of a ``TextMatch``. A query creates it once and applies it to the UTF-8 bytes of each text.
///
/// UTF-8 is self-synchronizing, so a match of bytes begins at the boundary of a Unicode scalar.
struct TextTest: Sendable {
    /// A part of a pattern.
    fileprivate enum Token { case byte(UInt8), one, any }

    private let match: TextMatch
    /// The parts of the pattern of `like`.
    private let tokens: [Token]

    init(_ match: TextMatch) {
        self.match = match.ignoresCase ? match.replacing(match.text.caseFolded) : match
        var tokens: [Token] = []
        for token in match.kind == .like ? self.match.pattern : [] {
            switch token {
            case .any: tokens.append(.any)
            case .one: tokens.append(.one)
            case .scalar(let scalar): for byte in String(scalar).utf8 { tokens.append(.byte(byte)) }
            }
        }
        self.tokens = tokens
    }

    func holds(for text: Span<UInt8>) -> Bool {
        guard match.ignoresCase, !text.isCaseFoldedASCII else { return holds(forFolded: text) }
        return String(decoding: text).caseFolded.withBytes { holds(forFolded: $0) }
    }

    private func holds(forFolded text: Span<UInt8>) -> Bool {
        var start = 0
        if let separator = match.separator {
            guard let last = text.indices.last(where: { text[$0] == separator }) else { return false }
            start = last + 1
        }
        if match.kind == .like { return text.matches(tokens, from: start) }
        return match.text.withBytes { part in
            switch match.kind {
            case .equals: text.count - start == part.count && text.begins(with: part, at: start)
            case .begins: text.begins(with: part, at: start)
            case .ends: text.count - start >= part.count && text.begins(with: part, at: text.count - part.count)
            case .contains, .like: text.contains(part, from: start)
            }
        }
    }
}

extension Span<UInt8> {
    /// Whether the text consists of ASCII characters without uppercase letters.
    fileprivate var isCaseFoldedASCII: Bool {
        // A loop without an early exit is vectorized.
        var found: UInt8 = 0
        for index in indices { found |= (self[index] & 0x80) | (self[index] &- UInt8(ascii: "A") < 26 ? 1 : 0) }
        return found == 0
    }

    /// Returns whether the bytes from an offset on match a pattern.
    fileprivate func matches(_ tokens: [TextTest.Token], from offset: Int) -> Bool {
        var (index, next) = (offset, 0)
        // Where the text of the last wildcard ends, and the part after this wildcard.
        var retry: (index: Int, next: Int)?
        while index < count {
            switch next < tokens.count ? tokens[next] : nil {
            case .any:
                next += 1
                retry = (index, next)
            case .one:
                index = endOfScalar(at: index)
                next += 1
            case .byte(let byte) where byte == self[index]:
                index += 1
                next += 1
            default:
                guard let (last, start) = retry else { return false }
                (index, next) = (endOfScalar(at: last), start)
                retry = (index, next)
            }
        }
        return tokens[next...].allSatisfy { if case .any = $0 { true } else { false } }
    }

    /// Returns the offset of the Unicode scalar after the one at an offset.
    private func endOfScalar(at offset: Int) -> Int {
        var end = offset + 1
        while end < count, self[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }

    /// Returns whether the bytes from an offset on begin with other bytes.
    fileprivate func begins(with other: Span<UInt8>, at offset: Int) -> Bool {
        guard count - offset >= other.count else { return false }
        for index in other.indices where self[offset + index] != other[index] { return false }
        return true
    }

    /// Returns whether the bytes from an offset on contain other bytes.
    fileprivate func contains(_ other: Span<UInt8>, from offset: Int) -> Bool {
        guard !other.isEmpty else { return true }
        let (first, end) = (other[0], count - other.count)
        var start = offset
        while start <= end {
            if self[start] == first, begins(with: other, at: start) { return true }
            start += 1
        }
        return false
    }
}
