import UserProfileDomain

/// A parser for the header field `Retry-After` (RFC 9110, section 10.2.3), which contains a number of seconds or a
/// date.
enum RetryAfter {
    /// Returns the delay that a header field requests.
    ///
    /// - Parameters:
    ///   - text: The value of the header field.
    ///   - now: The current time, according to the server if it reports a time.
    /// - Returns: The delay, or `nil` if the value is neither a number nor a date.
    static func delay(_ text: String, now: Instant) -> Duration? {
        if let seconds = Int64(text), seconds >= 0 { return .seconds(min(seconds, 1 << 31)) }
        return date(text).map { max(.zero, $0.duration(since: now)) }
    }

    /// Parses a date in the format IMF-fixdate (RFC 9110, section 5.6.7), e.g. `Sun, 06 Nov 1994 08:49:37 GMT`. Returns
    /// `nil` for any other text.
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
