extension Duration {
    /// Parses the text of an age, e.g. `90`, `30m`, `2h` or `7d`.
    ///
    /// - Parameters:
    ///   - text: A whole number of at most nine digits, followed by the unit `s`, `m`, `h` or `d`. A number without a
    ///     unit is in seconds.
    ///   - subject: The subject of the error.
    /// - Throws: ``ValidationError`` if the text is not such a number.
    package init(age text: String, _ subject: ValidationError.Subject = .age) throws(ValidationError) {
        let unit: Int64? =
            switch text.last {
            case "s": 1
            case "m": 60
            case "h": 3600
            case "d": 86_400
            default: nil
            }
        let digits = unit == nil ? Substring(text) : text.dropLast()
        guard !digits.isEmpty, digits.utf8.count <= 9,
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let number = Int64(digits)
        else {
            throw ValidationError(
                subject, given: text,
                rule: "expected a whole number, optionally followed by s, m, h or d, like 30m")
        }
        self = .seconds(number * (unit ?? 1))
    }

    /// The age as text for display: a whole number of seconds, minutes, hours or days, rounded down, e.g. `3 hours` for
    /// 3 hours and 50 minutes.
    package var ageDescription: String {
        let seconds = components.seconds
        let (count, unit) =
            switch seconds {
            case ..<60: (seconds, "second")
            case ..<3600: (seconds / 60, "minute")
            case ..<86_400: (seconds / 3600, "hour")
            default: (seconds / 86_400, "day")
            }
        return "\(count) \(unit)\(count == 1 ? "" : "s")"
    }
}
