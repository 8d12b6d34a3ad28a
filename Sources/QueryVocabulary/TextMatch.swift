/// A condition on a text: the text to search for, and the way to search.
///
/// ```swift
/// // What a `FilterTranslator` receives for `.contains(\.title, "milk", ignoringCase: true)`:
/// match.kind == .contains && match.text == "milk" && match.ignoresCase
/// ```
///
/// Texts are compared by Unicode scalars. If the case is ignored, both texts are replaced by their full case foldings
/// first, so `ß` is equal to `SS`.
public struct TextMatch: Hashable, Sendable {
    /// A way to search a text.
    ///
    /// ```swift
    /// let isSlow = match.kind == .contains  // a database answers it without an index
    /// ```
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// The texts are equal.
        case equals
        /// The text begins with the given text. Every text begins with the empty text.
        case begins
        /// The text ends with the given text. Every text ends with the empty text.
        case ends
        /// The text contains the given text. Every text contains the empty text.
        case contains
        /// The whole text matches a pattern: `*` matches any text, `?` matches one Unicode scalar, and a backslash
        /// removes the meaning of the next character.
        case like
    }

    /// How to search the text.
    public let kind: Kind

    /// The text to search for, or the pattern.
    public let text: String

    /// Whether to ignore the case of letters.
    public let ignoresCase: Bool

    /// An ASCII character after whose last occurrence the text is searched, or `nil` to search the whole text.
    package let separator: UInt8?

    /// Creates a condition.
    package init(_ kind: Kind, _ text: String, ignoringCase ignoresCase: Bool = false, after separator: UInt8? = nil) {
        self.kind = kind
        self.text = text
        self.ignoresCase = ignoresCase
        self.separator = separator
    }

    /// Returns the same condition for another text.
    package func replacing(_ text: String) -> TextMatch {
        TextMatch(kind, text, ignoringCase: ignoresCase, after: separator)
    }

    /// A part of a pattern.
    package enum Token: Hashable, Sendable {
        /// The given Unicode scalar.
        case scalar(Unicode.Scalar)
        /// Any Unicode scalar.
        case one
        /// Any text.
        case any
    }

    /// The condition as a pattern of the kind ``Kind/like``, e.g. the text followed by any text.
    package var pattern: [Token] {
        let literal = text.unicodeScalars.map(Token.scalar)
        switch kind {
        case .equals: return literal
        case .begins: return literal + [.any]
        case .ends: return [.any] + literal
        case .contains: return [.any] + literal + [.any]
        case .like:
            var tokens: [Token] = []
            var scalars = text.unicodeScalars.makeIterator()
            while let scalar = scalars.next() {
                switch scalar {
                case "*": tokens.append(.any)
                case "?": tokens.append(.one)
                case "\\": tokens.append(.scalar(scalars.next() ?? scalar))
                default: tokens.append(.scalar(scalar))
                }
            }
            return tokens
        }
    }
}

extension String {
    /// The full case folding of the text (Unicode, chapter 3.13), without normalization. Texts that differ only in case
    /// have the same folding.
    package var caseFolded: String {
        var folded: [UInt8] = []
        folded.reserveCapacity(utf8.count)
        for scalar in unicodeScalars {
            if scalar.isASCII {
                let byte = UInt8(truncatingIfNeeded: scalar.value)
                folded.append(byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte)
            } else {
                folded += scalar.caseFolding.utf8
            }
        }
        return String(decoding: folded, as: UTF8.self)
    }
}

extension Unicode.Scalar {
    /// The standard library has no case folding. It is the lowercase of the uppercase of the lowercase: the last step
    /// is for letters without an uppercase, e.g. `ß`. Exceptions are the dotless `ı`, which has no folding, and
    /// Cherokee letters, which fold to their uppercase.
    fileprivate var caseFolding: String {
        if value == 0x131 || (0x13A0...0x13F5).contains(value) { return String(self) }
        if (0x13F8...0x13FD).contains(value) || (0xAB70...0xABBF).contains(value) {
            return properties.uppercaseMapping
        }
        let upper = properties.lowercaseMapping.unicodeScalars.map(\.properties.uppercaseMapping).joined()
        return upper.unicodeScalars.map(\.properties.lowercaseMapping).joined()
    }
}
