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
            UTF16.encode(scalar).map { units in
                units.map { unit in
                    let digits = String(unit, radix: 16)
                    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }.joined()
            } ?? ""
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
        var replaced = UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.isUnprintable {
                replaced.append(contentsOf: replacement(scalar).unicodeScalars)
            } else {
                replaced.append(scalar)
            }
        }
        return String(replaced)
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
}
