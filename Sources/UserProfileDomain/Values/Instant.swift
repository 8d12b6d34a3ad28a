/// A point in time, independent of calendar and time zone: seconds and nanoseconds since 1970-01-01T00:00:00Z.
///
/// The domain does not ask for the time; pass it in, so that a test can choose it.
///
/// ```swift
/// try await storage.profiles.saveBirthday(Birthday("2011-08-01"), now: .now)
/// ```
public struct Instant: Hashable, Sendable {
    /// The whole seconds since 1970-01-01T00:00:00Z. The number is negative for earlier times.
    public let seconds: Int64

    /// The nanoseconds after the whole second, 0 to 999,999,999.
    public let nanoseconds: UInt32

    /// Creates a point in time.
    ///
    /// - Parameters:
    ///   - seconds: The whole seconds since 1970-01-01T00:00:00Z.
    ///   - nanoseconds: The nanoseconds after the whole second. Values of 1,000,000,000 or more carry over to the
    ///     seconds.
    public init(seconds: Int64, nanoseconds: UInt32 = 0) {
        self.seconds = seconds &+ Int64(nanoseconds / 1_000_000_000)
        self.nanoseconds = nanoseconds % 1_000_000_000
    }

    /// Parses the `date-time` of RFC 3339, section 5.6, e.g. `2016-11-28T17:00:00+09:00`.
    ///
    /// The offset may omit the colon (`+0900`), as some weather services do. A leap second is parsed as the second that
    /// follows it.
    ///
    /// - Parameter text: The date, the time and the offset. A fraction of a second has at most nine digits.
    /// - Throws: ``ValidationError`` if the text is invalid. The error states the rule and where it is violated.
    public init(_ text: String) throws(ValidationError) {
        var reader = TextReader(text, as: .instant)
        let date = try reader.date()
        try reader.expect("Tt", "a T must separate date and time")
        let time = try reader.timeOfDay()
        let nanoseconds = try reader.fraction()
        let offset = try reader.zoneOffset()
        try reader.expectEnd("nothing may follow the offset from UTC")
        seconds = Int64(date.daysSince1970) * 86_400 + Int64(time.seconds) - Int64(offset)
        self.nanoseconds = nanoseconds
        guard !time.isLeapSecond || seconds.isMultiple(of: 86_400) else {
            throw reader.validationError("second 60 is a leap second, the last second of a UTC day", at: 17)
        }
    }

    /// Returns the calendar date at this point in time, in a time zone.
    ///
    /// - Parameter offset: The offset of the time zone from UTC in seconds. Zones east of Greenwich have positive
    ///   offsets.
    /// - Returns: The date, or `nil` if its year is not in 1 to 9999.
    public func date(utcOffset offset: Int = 0) -> CalendarDate? {
        let (shifted, isBeyond) = seconds.addingReportingOverflow(Int64(offset))
        guard !isBeyond else { return nil }
        return Int(exactly: shifted.flooredDivision(by: 86_400).quotient).flatMap(CalendarDate.init(daysSince1970:))
    }
}

extension Instant: Comparable, CustomStringConvertible {
    /// Returns whether the left point in time is earlier.
    public static func < (left: Instant, right: Instant) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }

    /// The point in time in UTC, in the format of RFC 3339, e.g. `2016-11-28T08:00:00Z`.
    ///
    /// The fraction has as many digits as necessary. Outside the years 1 to 9999, the text is `@` followed by the value
    /// of ``seconds``, without a fraction.
    public var description: String {
        guard let date = date() else { return "@\(seconds)" }
        let second = Int(seconds.flooredDivision(by: 86_400).remainder)
        var text = "\(date)T\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
        if nanoseconds > 0 {
            var digits = Substring(padded(Int(nanoseconds), 9))
            while digits.last == "0" { digits.removeLast() }
            text += ".\(digits)"
        }
        return text + "Z"
    }
}

extension TextReader {
    /// Parses a time in the form `HH:mm:ss`.
    ///
    /// - Returns: The seconds since midnight, and whether the time is a leap second.
    /// - Throws: ``ValidationError`` if the time does not exist.
    fileprivate mutating func timeOfDay() throws(ValidationError) -> (seconds: Int, isLeapSecond: Bool) {
        let hour = try number(in: 0...23, "the hour must be 00 to 23")
        try expect(":", "a colon must follow the hour")
        let minute = try number(in: 0...59, "the minute must be 00 to 59")
        try expect(":", "a colon must follow the minute")
        let second = try number(in: 0...60, "the second must be 00 to 59")
        return (hour * 3600 + minute * 60 + second, second == 60)
    }

    /// Parses an optional fraction of a second and returns it in nanoseconds. If there is no fraction, the result is 0.
    fileprivate mutating func fraction() throws(ValidationError) -> UInt32 {
        guard next == "." else { return 0 }
        try expect(".", "")
        var (nanoseconds, scale) = (0, 100_000_000)
        repeat {
            guard scale > 0 else { throw validationError("a fraction has at most nine digits") }
            nanoseconds += try number(digits: 1, "digits must follow the point") * scale
            scale /= 10
        } while next.map { ("0"..."9").contains($0) } == true
        return UInt32(nanoseconds)
    }

    /// Parses an offset such as `Z`, `+09:00` or `+0900`, and returns the seconds east of UTC.
    fileprivate mutating func zoneOffset() throws(ValidationError) -> Int {
        let sign = try expect("Zz+-", "an offset from UTC must follow the time, like Z or +09:00")
        guard sign == "+" || sign == "-" else { return 0 }
        let hours = try number(in: 0...23, "the hours of the offset must be 00 to 23")
        if next == ":" { try expect(":", "") }
        let minutes = try number(in: 0...59, "the minutes of the offset must be 00 to 59")
        return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    private mutating func number(in range: ClosedRange<Int>, _ rule: String) throws(ValidationError) -> Int {
        let start = offset
        let number = try number(digits: 2, "\(rule), in two digits")
        guard range.contains(number) else { throw validationError(rule, at: start) }
        return number
    }
}

extension Instant {
    /// Returns the time from another instant to this instant. It is negative if this instant is earlier.
    ///
    /// If the number of seconds exceeds the range of `Int64`, the result is `Int64.max` or `Int64.min` seconds.
    public func duration(since other: Instant) -> Duration {
        let difference = nanosecondsSince1970 - other.nanosecondsSince1970
        guard Int64(exactly: difference.flooredDivision(by: 1_000_000_000).quotient) != nil else {
            return .seconds(difference < 0 ? Int64.min : .max)
        }
        return Duration(attoseconds: difference * 1_000_000_000)
    }

    /// Returns this instant plus a duration, which may be negative. On overflow, the result is the first or the last
    /// representable second.
    package func advanced(by duration: Duration) -> Instant {
        let sum = nanosecondsSince1970 + duration.attoseconds / 1_000_000_000
        let (second, nanoseconds) = sum.flooredDivision(by: 1_000_000_000)
        guard let seconds = Int64(exactly: second) else { return Instant(seconds: sum < 0 ? .min : .max) }
        return Instant(seconds: seconds, nanoseconds: UInt32(nanoseconds))
    }

    private var nanosecondsSince1970: Int128 { Int128(seconds) * 1_000_000_000 + Int128(nanoseconds) }
}

extension Duration {
    /// Parses the text of an age, e.g. `90`, `30m`, `2h` or `7d`.
    ///
    /// - Parameters:
    ///   - text: A whole number of at most nine digits, followed by the unit `s`, `m`, `h` or `d`. A number without a
    ///     unit is in seconds.
    ///   - subject: The subject of the error.
    /// - Throws: ``ValidationError`` if the text is not such a number.
    package init(age text: String, _ subject: ValidationError.Subject = .age) throws(ValidationError) {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        let unit = text.last.flatMap { units[$0] }
        let digits = unit == nil ? Substring(text) : text.dropLast()
        guard digits.utf8.count <= 9,
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
        let units: [(seconds: Int64, name: String)] = [(86_400, "day"), (3600, "hour"), (60, "minute")]
        let (size, unit) = units.first { components.seconds >= $0.seconds } ?? (1, "second")
        let count = components.seconds / size
        return "\(count) \(unit)\(count == 1 ? "" : "s")"
    }
}

extension Instant: Codable {
    /// Decodes a string in the `date-time` format of RFC 3339. Throws ``ValidationError`` if the string is invalid.
    public init(from decoder: any Decoder) throws { try self.init(String(from: decoder)) }

    /// Encodes a string in the `date-time` format of RFC 3339. Throws `EncodingError` if the year is not in 1 to 9999.
    public func encode(to encoder: any Encoder) throws {
        guard date() != nil else {
            let context = EncodingError.Context(
                codingPath: encoder.codingPath, debugDescription: "the year must be 0001 to 9999")
            throw EncodingError.invalidValue(self, context)
        }
        try description.encode(to: encoder)
    }
}
