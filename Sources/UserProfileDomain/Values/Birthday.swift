/// A person's date of birth, without time or time zone. Its text is the `full-date` of RFC 3339, e.g. `2011-08-01`.
///
/// ```swift
/// let birthday = try Birthday("2011-08-01")
/// let today = try CalendarDate("2026-11-27")
/// print(birthday.age(on: today) ?? 0)  // 15
/// ```
public struct Birthday: Hashable, Sendable {
    /// The date of birth as a calendar date.
    public let date: CalendarDate

    /// Creates a birthday from a date.
    ///
    /// - Parameter date: The date of birth. It may be in the future, but ``UserUseCase`` does not save such a birthday.
    public init(_ date: CalendarDate) { self.date = date }

    /// Parses a birthday.
    ///
    /// - Parameter text: A date in the form `yyyy-MM-dd`, with a year from 0001 to 9999.
    /// - Throws: ``ValidationError`` if the text is invalid. The error states the rule and where it is violated.
    public init(_ text: String) throws(ValidationError) {
        date = try CalendarDate(text, as: .birthday)
    }

    /// Parses a birthday from UTF-8, or returns `nil` if the text is invalid. A store reads birthdays without creating
    /// a string.
    package init?(utf8 text: Span<UInt8>) {
        guard let date = CalendarDate(wellFormed: text) else { return nil }
        self.date = date
    }

    /// Rejects a birthday that is in the future in every time zone.
    ///
    /// - Parameter now: The current time.
    /// - Throws: ``ValidationError`` if the day has not yet begun in the time zone UTC+14, where each day begins first.
    package func checkHasBegun(at now: Instant) throws(ValidationError) {
        // UTC+14 is the first zone in which a day begins.
        let latest = now.date(utcOffset: 14 * 3600)
        guard latest.map({ date <= $0 }) ?? (now.seconds >= 0) else {
            let today = latest.map { "; no time zone is past \($0)" } ?? ""
            throw ValidationError(.birthday, given: text, rule: "it is in the future\(today)")
        }
    }

    /// Returns the age in whole years on a day, or `nil` if the day is before the date of birth.
    ///
    /// A person born on 29 February turns a year older on 1 March in years without that day.
    public func age(on day: CalendarDate) -> Int? {
        guard day >= date else { return nil }
        let hasHadBirthday = MonthDay(day) >= monthDay(inYear: day.year)
        return day.year - date.year - (hasHadBirthday ? 0 : 1)
    }

    /// Returns the first birthday on or after a day. The date of birth itself counts as the first birthday.
    ///
    /// ```swift
    /// try Birthday("2011-08-01").next(onOrAfter: CalendarDate("2026-11-21"))      // 2027-08-01
    /// ```
    ///
    /// - Parameter day: The first possible day.
    /// - Returns: The date, or `nil` if it would be after the year 9999. For a person born on 29 February, it is 1
    ///   March in years without that day.
    public func next(onOrAfter day: CalendarDate) -> CalendarDate? {
        guard day > date else { return date }
        let year = MonthDay(day) > monthDay(inYear: day.year) ? day.year + 1 : day.year
        guard year <= 9999 else { return nil }
        let next = monthDay(inYear: year)
        return CalendarDate(knownYear: year, month: next.month, day: next.day)
    }

    private func monthDay(inYear year: Int) -> MonthDay {
        MonthDay(date) == .leapDay && !CalendarDate.isLeap(year) ? .firstOfMarch : MonthDay(date)
    }
}

extension Birthday: TextValue, Comparable {
    /// Returns whether the left birthday is earlier.
    public static func < (left: Birthday, right: Birthday) -> Bool { left.date < right.date }

    /// The date of birth in the form `yyyy-MM-dd`.
    public var text: String { date.text }
}

/// A month and a day without a year, including 29 February. Use it to compare birthdays regardless of their years.
///
/// ```swift
/// let born = try await storage.users.find(Query(where: \.monthDay == MonthDay("08-01")))
/// ```
public struct MonthDay: Hashable, Sendable {
    /// The month, 1 to 12.
    package let month: Int

    /// The day of the month, 1 to 31.
    package let day: Int

    /// Creates the month and day of a date.
    ///
    /// - Parameter date: The date, whose year is ignored.
    public init(_ date: CalendarDate) {
        month = date.month
        day = date.day
    }

    /// Parses a month and a day.
    ///
    /// - Parameter text: A month and a day in the form `MM-dd`.
    /// - Throws: ``ValidationError`` if the text is invalid. The error states the rule and where it is violated.
    public init(_ text: String) throws(ValidationError) {
        var reader = TextReader(text, as: .monthDay)
        let month = try reader.number(digits: 2, "the month must have two digits, MM-dd")
        try reader.expect("-", "a hyphen must follow the month, MM-dd")
        let day = try reader.number(digits: 2, "the day must have two digits, MM-dd")
        try reader.expectEnd("nothing may follow the day, MM-dd")
        // 2000 is a leap year, so 29 February is valid. The offset −5 accounts for the missing `yyyy-`.
        self.init(try CalendarDate(year: 2000, month: month, day: day, as: .monthDay, given: text, at: -5))
    }

    /// 29 February, which exists only in leap years.
    static let leapDay = MonthDay(CalendarDate(knownYear: 2000, month: 2, day: 29))

    /// 1 March, which follows the leap day.
    static let firstOfMarch = MonthDay(CalendarDate(knownYear: 2000, month: 3, day: 1))
}

extension MonthDay: TextValue, Comparable {
    /// Returns whether the left day comes first within a year.
    public static func < (left: MonthDay, right: MonthDay) -> Bool {
        (left.month, left.day) < (right.month, right.day)
    }

    /// The month and the day in the form `MM-dd`.
    public var text: String { "\(padded(month, 2))-\(padded(day, 2))" }
}
