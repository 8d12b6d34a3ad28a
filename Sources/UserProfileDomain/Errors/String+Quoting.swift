// What somebody typed, shown in a message: it must neither steer a terminal nor fill it.
extension String {
    /// The text in quotes, with escapes for what is not seen: control and format characters, line separators.
    var quoted: String {
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

    /// The first Unicode scalars, so many at most.
    func excerpt(_ maximumCount: Int) -> String {
        guard unicodeScalars.count > maximumCount else { return self }
        var text = String(String.UnicodeScalarView(unicodeScalars.prefix(maximumCount - 1)))
        text.unicodeScalars.append("…")
        return text
    }
}
