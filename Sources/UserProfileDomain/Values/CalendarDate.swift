/// A day of the proleptic Gregorian calendar, without time or time zone. Use it for dates that are the same everywhere.
///
/// ```swift
/// let first = try CalendarDate("2026-11-27")
/// let upcoming = try await storage.profiles.birthdays(from: first, within: 30)
/// ```
///
/// Its text is the `full-date` of RFC 3339, section 5.6: `yyyy-MM-dd` in ASCII digits, with a year from 0001 to 9999.
/// Each date has exactly one text.
public struct CalendarDate: Hashable, Sendable {
    // The year, the month and the day, in 16, 8 and 8 bits, so that copying and comparing dates is cheap.
    private let components: UInt32

    /// The year, 1 to 9999.
    public var year: Int { Int(components >> 16) }
    /// The month, 1 to 12.
    public var month: Int { Int(components >> 8 & 0xff) }
    /// The day of the month, 1 to 31.
    public var day: Int { Int(components & 0xff) }

    /// Creates a date from its components.
    ///
    /// - Parameters:
    ///   - year: The year, 1 to 9999.
    ///   - month: The month, 1 to 12.
    ///   - day: The day of the month, 1 to 31.
    /// - Throws: ``ValidationError`` if no such date exists.
    public init(year: Int, month: Int, day: Int) throws(ValidationError) {
        try self.init(year: year, month: month, day: day, as: .calendarDate, given: "\(year)-\(month)-\(day)")
    }

    /// Parses a date.
    ///
    /// - Parameter text: A date in the form `yyyy-MM-dd`, with a year from 0001 to 9999.
    /// - Throws: ``ValidationError`` if the text is invalid. The error states the rule and where it is violated.
    public init(_ text: String) throws(ValidationError) { try self.init(text, as: .calendarDate) }

    /// Parses a date. Throws ``ValidationError`` about the subject if the text is invalid.
    init(_ text: String, as subject: ValidationError.Subject) throws(ValidationError) {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *),
            let date = CalendarDate(wellFormed: text.utf8.span)
        {
            self = date
            return
        }
        // The text is invalid, or the system has no spans. The slower reader parses it or determines the violated rule.
        var reader = TextReader(text, as: subject)
        let date = try reader.date()
        try reader.expectEnd("nothing may follow the day, yyyy-MM-dd")
        self = date
    }

    /// Parses a date from UTF-8, or returns `nil` if the text is invalid.
    ///
    /// A store calls this initializer for every birthday that it reads, because it is faster than the throwing
    /// initializer.
    @inline(__always)
    init?(wellFormed bytes: Span<UInt8>) {
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return nil }
        // A byte that is not a digit becomes a number above 9.
        var greatest: UInt8 = 0
        func digit(_ index: Int) -> Int {
            let digit = bytes[index] &- UInt8(ascii: "0")
            greatest = max(greatest, digit)
            return Int(digit)
        }
        let year = digit(0) * 1000 + digit(1) * 100 + digit(2) * 10 + digit(3)
        let month = digit(5) * 10 + digit(6)
        let day = digit(8) * 10 + digit(9)
        guard greatest <= 9, (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= 28 || day <= CalendarDate.length(ofMonth: month, year: year)
        else { return nil }
        self.init(knownYear: year, month: month, day: day)
    }

    /// Returns the number of days from another date to this date. It is negative if this date is earlier.
    package func dayCount(since other: CalendarDate) -> Int { daysSince1970 - other.daysSince1970 }

    init(
        year: Int, month: Int, day: Int, as subject: ValidationError.Subject, given: String, at offset: Int? = nil
    ) throws(ValidationError) {
        func validationError(_ rule: String, _ position: Int) -> ValidationError {
            ValidationError(subject, given: given, rule: rule, offset: offset.map { $0 + position })
        }
        guard (1...9999).contains(year) else { throw validationError("the year must be 0001 to 9999", 0) }
        guard (1...12).contains(month) else { throw validationError("the month must be 01 to 12", 5) }
        let length = CalendarDate.length(ofMonth: month, year: year)
        guard (1...length).contains(day) else { throw validationError("the month has \(length) days, not \(day)", 8) }
        self.init(knownYear: year, month: month, day: day)
    }

    /// Creates a date from components without validation. The caller guarantees that the date exists.
    init(knownYear year: Int, month: Int, day: Int) {
        components = UInt32(truncatingIfNeeded: year << 16 | month << 8 | day)
    }

    /// The last representable date, 31 December 9999.
    static let last = CalendarDate(knownYear: 9999, month: 12, day: 31)

    /// Returns whether a year is a leap year.
    static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    private static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension CalendarDate: TextValue, Comparable {
    /// Returns whether the left date is earlier.
    public static func < (left: CalendarDate, right: CalendarDate) -> Bool { left.components < right.components }

    /// The date in the form `yyyy-MM-dd`.
    public var text: String {
        // Every save of a birthday uses this property, so it avoids string formatting.
        func digit(_ number: Int, _ power: Int) -> UInt8 { UInt8(ascii: "0") + UInt8(number / power % 10) }
        let hyphen = UInt8(ascii: "-")
        let text: [UInt8] = [
            digit(year, 1000), digit(year, 100), digit(year, 10), digit(year, 1), hyphen, digit(month, 10),
            digit(month, 1), hyphen, digit(day, 10), digit(day, 1),
        ]
        return String(decoding: text, as: UTF8.self)
    }
}

// The computations count years from March, so that a leap day is the last day of its year. See Howard Hinnant,
// "chrono-Compatible Low-Level Date Algorithms".
extension CalendarDate {
    /// The number of days since 1970-01-01. It is negative for earlier dates.
    var daysSince1970: Int {
        let (era, yearOfEra) = (month > 2 ? year : year - 1).flooredDivision(by: 400)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Creates a date from the number of days since 1970-01-01, which is negative for earlier dates. Returns `nil` if
    /// the year is not in 1 to 9999.
    init?(daysSince1970 days: Int) {
        let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        guard (1...9999).contains(year) else { return nil }
        self.init(knownYear: year, month: month, day: dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }
}

extension BinaryInteger {
    /// Returns the quotient rounded down, and the remainder, which is never negative. The divisor must be positive.
    func flooredDivision(by divisor: Self) -> (quotient: Self, remainder: Self) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

/// Returns a number as text, padded with leading zeros to a minimum width.
func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
}

/// A parser that reads a text scalar by scalar, and stops at the first violation of a rule. Positions are in bytes of
/// UTF-8.
struct TextReader {
    let text: String
    let subject: ValidationError.Subject
    var rest: Substring.UnicodeScalarView

    /// The next scalar of the text, or `nil` at its end.
    var next: Unicode.Scalar? { rest.first }

    /// The position of the next scalar, in bytes from the start of the text.
    var offset: Int { text.utf8.distance(from: text.startIndex, to: rest.startIndex) }

    init(_ text: String, as subject: ValidationError.Subject) {
        self.text = text
        self.subject = subject
        rest = Substring(text).unicodeScalars
    }

    func validationError(_ rule: String, at position: Int? = nil) -> ValidationError {
        ValidationError(subject, given: text, rule: rule, offset: position ?? offset)
    }

    /// Consumes and returns the next scalar. Throws a ``ValidationError`` with the given rule if it is not one of the
    /// given scalars.
    @discardableResult
    mutating func expect(_ scalars: String, _ rule: String) throws(ValidationError) -> Unicode.Scalar {
        guard let next, scalars.unicodeScalars.contains(next) else { throw validationError(rule) }
        rest.removeFirst()
        return next
    }

    /// Parses a number with an exact number of ASCII digits. Throws a ``ValidationError`` with the given rule if a
    /// digit is missing.
    mutating func number(digits: Int, _ rule: String) throws(ValidationError) -> Int {
        var number = 0
        for _ in 0..<digits {
            guard let next, ("0"..."9").contains(next) else { throw validationError(rule) }
            number = number * 10 + Int(next.value - 0x30)
            rest.removeFirst()
        }
        return number
    }

    /// Parses a date in the form `yyyy-MM-dd`.
    mutating func date() throws(ValidationError) -> CalendarDate {
        let start = offset
        let year = try number(digits: 4, "the year must have four digits, yyyy-MM-dd")
        try expect("-", "a hyphen must follow the year, yyyy-MM-dd")
        let month = try number(digits: 2, "the month must have two digits, yyyy-MM-dd")
        try expect("-", "a hyphen must follow the month, yyyy-MM-dd")
        let day = try number(digits: 2, "the day must have two digits, yyyy-MM-dd")
        return try CalendarDate(year: year, month: month, day: day, as: subject, given: text, at: start)
    }

    func expectEnd(_ rule: String) throws(ValidationError) {
        guard next == nil else { throw validationError(rule) }
    }
}
