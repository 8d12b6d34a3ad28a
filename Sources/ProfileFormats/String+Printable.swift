extension String {
    /// The text in a form that is safe to print on a terminal.
    ///
    /// Control characters except line feeds, and characters that change the text direction, are replaced. Otherwise
    /// text from a file or a service could control the terminal.
    package var printable: String { replacingUnprintable { _ in "\u{FFFD}" } }

    /// Returns the text with unsafe characters replaced. ``printable`` defines the unsafe characters.
    ///
    /// - Parameter replacement: A closure that returns the text that replaces a character.
    /// - Returns: The text that is safe to print on a terminal.
    package func replacingUnprintable(by replacement: (Unicode.Scalar) -> String) -> String {
        guard unicodeScalars.contains(where: \.isUnprintable) else { return self }
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
        case "\n": false
        case "\u{061C}", "\u{200E}", "\u{200F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": true
        default: properties.generalCategory == .control
        }
    }
}
