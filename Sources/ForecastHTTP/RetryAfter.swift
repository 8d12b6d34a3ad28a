import UserProfileDomain

/// The field Retry-After (RFC 9110, section 10.2.3): a number of seconds, or a date.
enum RetryAfter {
    /// How long to wait.
    ///
    /// - Parameters:
    ///   - text: the value of the field.
    ///   - now: the present, as the server sees it where it says so.
    /// - Returns: how long; nil where the text is neither.
    static func delay(_ text: String, now: Instant) -> Duration? {
        if let seconds = Int64(text), seconds >= 0 { return .seconds(min(seconds, 1 << 31)) }
        return date(text).map { max(.zero, $0.duration(since: now)) }
    }

    /// A date in the form that servers must write, the IMF-fixdate of RFC 9110, section 5.6.7, e.g.
    /// `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func date(_ text: String) -> Instant? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: parts[2]) else { return nil }
        let number = String(month + 1)
        return try? Instant("\(parts[3])-\(number.count == 1 ? "0" : "")\(number)-\(parts[1])T\(parts[4])Z")
    }

    private static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
