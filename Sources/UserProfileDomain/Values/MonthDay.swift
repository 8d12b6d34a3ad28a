/// A month and a day without a year, including 29 February. Use it to compare birthdays regardless of their years.
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
        var reader = DigitReader(text, as: .monthDay)
        let month = try reader.number(digits: 2, "the month must have two digits, MM-dd")
        _ = try reader.expect("-", "a hyphen must follow the month, MM-dd")
        let day = try reader.number(digits: 2, "the day must have two digits, MM-dd")
        try reader.expectEnd("nothing may follow the day, MM-dd")
        do {
            // 2000 is a leap year, so 29 February is valid. The offset −5 accounts for the missing `yyyy-`.
            self.init(try CalendarDate(year: 2000, month: month, day: day, given: text, at: -5))
        } catch {
            throw ValidationError(.monthDay, given: text, rule: error.rule, offset: error.offset)
        }
    }

    private init(month: Int, day: Int) {
        self.month = month
        self.day = day
    }

    /// 29 February, which exists only in leap years.
    static let leapDay = MonthDay(month: 2, day: 29)

    /// 1 March, which follows the leap day.
    static let firstOfMarch = MonthDay(month: 3, day: 1)

    /// 1 January, the first day of a year.
    static let newYearsDay = MonthDay(month: 1, day: 1)

    /// 31 December, the last day of a year.
    static let newYearsEve = MonthDay(month: 12, day: 31)
}

extension MonthDay: TextValue, Comparable {
    /// Returns whether the left day comes first within a year.
    public static func < (left: MonthDay, right: MonthDay) -> Bool {
        (left.month, left.day) < (right.month, right.day)
    }

    /// The month and the day in the form `MM-dd`.
    public var text: String { "\(padded(month, 2))-\(padded(day, 2))" }
}
