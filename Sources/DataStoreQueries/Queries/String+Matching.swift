/// The test of a ``TextMatch``. A query creates it once and applies it to the UTF-8 bytes of each text.
///
/// UTF-8 is self-synchronizing, so a match of bytes begins at the boundary of a Unicode scalar.
struct TextTest: Sendable {
    private let ignoresCase: Bool
    private let separator: UInt8?
    /// The parts of the pattern between the wildcards for any text. If the pattern has no such wildcard, its only part
    /// is the whole text.
    private let parts: [TextPart]

    init(_ match: TextMatch) {
        (ignoresCase, separator) = (match.ignoresCase, match.separator)
        let match = ignoresCase ? match.replacing(match.text.caseFolded) : match
        let parts = match.pattern.split(separator: .any, omittingEmptySubsequences: false)
        self.parts = parts.enumerated().map { index, part in
            // The first and the last part have one place where they can be.
            TextPart(part, isSearched: index > 0 && index < parts.count - 1)
        }
    }

    func holds(for text: Span<UInt8>) -> Bool {
        guard ignoresCase, !text.isCaseFoldedASCII else { return holds(forFolded: text) }
        return String(decoding: text).caseFolded.withBytes { holds(forFolded: $0) }
    }

    /// Each part is searched after the first match of the previous one, and no search is repeated.
    private func holds(forFolded text: Span<UInt8>) -> Bool {
        var start = 0
        if let separator {
            guard let last = text.indices.last(where: { text[$0] == separator }) else { return false }
            start = last + 1
        }
        guard let first = parts.first, let last = parts.last, var end = first.end(in: text, startingAt: start) else {
            return false
        }
        if parts.count == 1 { return end == text.count }
        guard let lastStart = last.start(in: text, endingAt: text.count), lastStart >= end else { return false }
        for part in parts[1..<(parts.count - 1)] {
            guard let found = part.firstEnd(in: text, from: end) else { return false }
            end = found
        }
        return end <= lastStart
    }
}

/// A part of a pattern without a wildcard for any text.
///
/// The time of a search grows with the length of the text, and not with the product of both lengths. For a part with
/// wildcards for one scalar, it also grows with each 64 bytes of the part.
private struct TextPart: Sendable {
    /// The byte that stands for any Unicode scalar. It does not occur in UTF-8.
    private static let one: UInt8 = 0xFF

    private let bytes: [UInt8]
    /// For each beginning of the bytes, the length of the longest shorter beginning with which it also ends. It is
    /// empty for a part with wildcards. (The algorithm of Knuth, Morris and Pratt.)
    private let fallbacks: [Int]
    /// For each byte of a text, a bit for each of the bytes of the part that it matches, in `wordCount` words. A
    /// wildcard matches the first byte of each scalar, and itself. The array is empty for a part that is not searched,
    /// or without or only with wildcards. (The algorithm of Baeza-Yates and Gonnet.)
    private let masks: [UInt64]
    private let wordCount: Int

    init(_ tokens: some Sequence<TextMatch.Token>, isSearched: Bool) {
        var bytes: [UInt8] = []
        for token in tokens {
            if case .scalar(let scalar) = token { bytes += String(scalar).utf8 } else { bytes.append(Self.one) }
        }
        self.bytes = bytes
        wordCount = (bytes.count + 63) / 64
        let wildcardCount = bytes.count { $0 == Self.one }
        fallbacks = isSearched && wildcardCount == 0 ? Self.fallbacks(of: bytes) : []
        let hasMasks = isSearched && wildcardCount > 0 && wildcardCount < bytes.count
        masks = hasMasks ? Self.masks(of: bytes, wordCount) : []
    }

    private static func fallbacks(of bytes: [UInt8]) -> [Int] {
        var fallbacks: [Int] = []
        fallbacks.reserveCapacity(bytes.count)
        var matched = 0
        for (index, byte) in bytes.enumerated() {
            while matched > 0, bytes[matched] != byte { matched = fallbacks[matched - 1] }
            if index > 0, bytes[matched] == byte { matched += 1 }
            fallbacks.append(matched)
        }
        return fallbacks
    }

    private static func masks(of bytes: [UInt8], _ wordCount: Int) -> [UInt64] {
        var masks = [UInt64](repeating: 0, count: 256 * wordCount)
        for (index, byte) in bytes.enumerated() {
            let matching = byte == one ? (0...255).filter { !$0.continuesScalar } : [byte]
            for row in matching { masks[Int(row) * wordCount + index / 64] |= UInt64(1) << (index % 64) }
        }
        return masks
    }

    /// Returns where the part ends if it starts at an offset, or `nil` if the text does not match there.
    func end(in text: Span<UInt8>, startingAt offset: Int) -> Int? {
        var index = offset
        for byte in bytes {
            guard index < text.count else { return nil }
            if byte == Self.one {
                index = text.endOfScalar(at: index)
            } else {
                guard text[index] == byte else { return nil }
                index += 1
            }
        }
        return index
    }

    /// Returns where the part starts if it ends at an offset, or `nil` if the text does not match there.
    func start(in text: Span<UInt8>, endingAt offset: Int) -> Int? {
        var index = offset
        for byte in bytes.reversed() {
            guard index > 0 else { return nil }
            index -= 1
            if byte == Self.one {
                while index > 0, text[index].continuesScalar { index -= 1 }
            } else {
                guard text[index] == byte else { return nil }
            }
        }
        return index
    }

    /// Returns the end of the first match after an offset, or `nil` if the text does not contain the part.
    func firstEnd(in text: Span<UInt8>, from offset: Int) -> Int? {
        guard let first = bytes.first else { return offset }
        if !masks.isEmpty { return firstEndOfScalars(in: text, from: offset) }
        // Wildcards match wherever as many scalars follow.
        if fallbacks.isEmpty { return end(in: text, startingAt: offset) }
        var matched = 0
        for index in offset..<text.count {
            let byte = text[index]
            if matched == 0, byte != first { continue }
            while matched > 0, bytes[matched] != byte { matched = fallbacks[matched - 1] }
            if bytes[matched] == byte { matched += 1 }
            if matched == bytes.count { return index + 1 }
        }
        return nil
    }

    /// Searches a part with wildcards. Bit `n` of the states is set if the text before the index ends with the first
    /// `n + 1` bytes of the part.
    private func firstEndOfScalars(in text: Span<UInt8>, from offset: Int) -> Int? {
        var states = [UInt64](repeating: 0, count: wordCount)
        let lastBit = UInt64(1) << ((bytes.count - 1) % 64)
        let wildcards = Int(Self.one) * wordCount
        for index in offset..<text.count {
            let byte = text[index]
            let row = Int(byte) * wordCount
            var carry: UInt64 = 1
            for word in 0..<wordCount {
                let old = states[word]
                var new = (old << 1 | carry) & masks[row + word]
                // A wildcard also matches the other bytes of the scalar.
                if byte.continuesScalar { new |= old & masks[wildcards + word] }
                states[word] = new
                carry = old >> 63
            }
            if states[wordCount - 1] & lastBit != 0 { return text.endOfScalar(at: index) }
        }
        return nil
    }
}

extension UInt8 {
    /// Whether the byte is not the first one of a Unicode scalar in UTF-8.
    fileprivate var continuesScalar: Bool { self & 0xC0 == 0x80 }
}

extension Span<UInt8> {
    /// Whether the text consists of ASCII characters without uppercase letters.
    fileprivate var isCaseFoldedASCII: Bool {
        // A loop without an early exit is vectorized.
        var found: UInt8 = 0
        for index in indices { found |= (self[index] & 0x80) | (self[index] &- UInt8(ascii: "A") < 26 ? 1 : 0) }
        return found == 0
    }

    /// Returns the offset of the Unicode scalar after the one at an offset.
    fileprivate func endOfScalar(at offset: Int) -> Int {
        var end = offset + 1
        while end < count, self[end].continuesScalar { end += 1 }
        return end
    }
}
