// User input in error messages: it must not control the terminal or flood it.
extension String {
    /// The text in quotes, with control characters, format characters and line separators escaped.
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

    /// Returns the first Unicode scalars of the text, `maximumCount` at most. An ellipsis replaces the rest.
    package func excerpt(_ maximumCount: Int) -> String {
        guard unicodeScalars.count > maximumCount else { return self }
        var text = String(String.UnicodeScalarView(unicodeScalars.prefix(maximumCount - 1)))
        text.unicodeScalars.append("…")
        return text
    }
}
