// Error messages contain user input in this form, so that the input cannot control or flood the terminal.
extension String {
    /// The text in double quotes. Control characters, format characters, line separators, quotes and backslashes are
    /// escaped.
    package var quoted: String {
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default:
                if scalar == "\"" || scalar == "\\" { text += "\\" }
                text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }

    /// Returns the text, truncated to `maximumCount` Unicode scalars. The last scalar of a truncated text is an
    /// ellipsis.
    package func excerpt(_ maximumCount: Int) -> String {
        guard unicodeScalars.count > maximumCount else { return self }
        var text = String(String.UnicodeScalarView(unicodeScalars.prefix(maximumCount - 1)))
        text.unicodeScalars.append("…")
        return text
    }
}
