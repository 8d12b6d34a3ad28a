import Mustache

/// The escaping of text from the store, which must neither become markup nor change how other text is displayed.
///
/// The escaping of Mustache compares characters, so it misses a quotation mark that is followed by a combining one:
/// the browser sees the mark by itself. This one compares Unicode scalars.
struct InertText: MustacheContentType {
    static let name = "INERT"

    func escapeText(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
            case "`": escaped.append(contentsOf: "&#96;".unicodeScalars)
            case "\n": escaped.append(scalar)
            default:
                if InertText.isInvisible(scalar) {
                    escaped.append(
                        contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
                } else {
                    escaped.append(scalar)
                }
            }
        }
        return String(escaped)
    }

    /// Whether a scalar controls a terminal or the direction of text, or separates lines. The page displays the code of
    /// such a scalar.
    static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\u{061C}", "\u{200E}", "\u{200F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": true
        default:
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }
    }
}
