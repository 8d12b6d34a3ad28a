extension String {
    /// The text in a form that is safe to print on a terminal.
    ///
    /// Control characters except line feeds, and invisible characters, are replaced. Otherwise text from a file or a
    /// service could control the terminal, or look like another text. The invisible characters that scripts and emoji
    /// need are kept: joiners and variation selectors.
    package var printable: String { replacingUnprintable { _ in "\u{FFFD}" } }

    /// A JSON text with unsafe characters in its strings written as escape sequences, so that it is safe to print and
    /// has the same value.
    package var printableJSON: String {
        replacingUnprintable { scalar in
            scalar.utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined()
        }
    }

    /// Returns the text with unsafe characters replaced. ``printable`` defines the unsafe characters.
    ///
    /// - Parameter replacement: A closure that returns the text that replaces a character.
    /// - Returns: The text that is safe to print on a terminal.
    func replacingUnprintable(by replacement: (Unicode.Scalar) -> String) -> String {
        // Nearly all texts are ASCII, and looking up properties of scalars takes longer.
        let isPlain = utf8.allSatisfy { (0x20..<0x7F).contains($0) || $0 == UInt8(ascii: "\n") }
        guard !isPlain, unicodeScalars.contains(where: \.isUnprintable) else { return self }
        return unicodeScalars.map { $0.isUnprintable ? replacement($0) : String($0) }.joined()
    }

    /// The number of columns of the text on a terminal. A full-width character has two columns, and a combining
    /// character none.
    package var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

    /// Returns the longest prefix that fits into a number of columns.
    package func prefix(columns: Int) -> String {
        var (text, width) = ("", 0)
        for character in self {
            width += character.displayWidth
            if width > columns { break }
            text.append(character)
        }
        return text
    }

    /// Returns the text padded with spaces to a number of columns. The spaces are on the right, or on the left if
    /// `onLeft` is `true`. A string with at least `width` columns is returned unchanged.
    package func padded(to width: Int, onLeft: Bool = false) -> String {
        let spaces = String(repeating: " ", count: max(0, width - displayWidth))
        return onLeft ? spaces + self : self + spaces
    }

    /// Creates a string from a part of a line. Throws ``ProfileFormatError`` if the bytes are not UTF-8.
    init(ofLine bytes: ArraySlice<UInt8>) throws(ProfileFormatError) {
        // Validation by the standard library takes ten times as long as a copy, and ASCII does not need it.
        if bytes.allSatisfy({ $0 < 0x80 }) {
            self = String(decoding: bytes, as: UTF8.self)
        } else if let text = String(validating: bytes, as: UTF8.self) {
            self = text
        } else {
            throw ProfileFormatError("not valid UTF-8; save the file as UTF-8")
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isUnprintable: Bool {
        switch self {
        case "\n", "\u{200C}", "\u{200D}": false
        default:
            switch properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: true
            default: properties.isDefaultIgnorableCodePoint && !properties.isVariationSelector
            }
        }
    }

    fileprivate var displayWidth: Int {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: 0
        default: properties.isEmojiPresentation || Self.wide.contains { $0.contains(value) } ? 2 : 1
        }
    }

    /// The East Asian Wide and Fullwidth blocks of UAX #11 (Unicode 16), without emoji, which a Unicode property
    /// identifies.
    ///
    /// The C library's `wcwidth` is not used, because it is not available in Swift on every platform and its result
    /// depends on the locale.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}

extension Character {
    /// The number of columns of the character on a terminal. It is the width of the widest scalar, or 2 if the
    /// character contains U+FE0F, which selects the emoji form.
    fileprivate var displayWidth: Int {
        unicodeScalars.contains("\u{FE0F}") ? 2 : unicodeScalars.map(\.displayWidth).max() ?? 0
    }
}
