/// A day of any year, e.g. that of a birthday: a month and a day of it, 29 February included.
public struct MonthAndDay: Hashable, Sendable {
    /// The month, 1 to 12.
    package let month: Int

    /// The day of the month, 1 to 31.
    package let day: Int

    /// The month and day of a date.
    ///
    /// - Parameter date: the date.
    public init(_ date: CalendarDate) {
        month = date.month
        day = date.day
    }

    /// Reads a day of any year from text.
    ///
    /// - Parameter text: `MM-dd`.
    /// - Throws: ``ValidationError`` that says which rule the text breaks and where.
    public init(_ text: String) throws(ValidationError) {
        var reader = DigitReader(text, as: .dayOfYear)
        let month = try reader.number(digits: 2, "a month has two digits, MM-dd")
        _ = try reader.expect("-", "a hyphen follows the month, MM-dd")
        let day = try reader.number(digits: 2, "a day has two digits, MM-dd")
        try reader.expectEnd("nothing follows the day, MM-dd")
        do {
            // In a leap year, which has them all. What is wrong is said where it would be after its five characters.
            self.init(try CalendarDate(year: 2000, month: month, day: day, given: text, at: -5))
        } catch {
            throw ValidationError(.dayOfYear, given: text, rule: error.rule, offset: error.offset)
        }
    }

    private init(month: Int, day: Int) {
        self.month = month
        self.day = day
    }

    /// The day that is there in leap years only.
    static let leapDay = MonthAndDay(month: 2, day: 29)

    /// The day after it, in every year.
    static let firstOfMarch = MonthAndDay(month: 3, day: 1)

    /// The first day of a year.
    static let newYearsDay = MonthAndDay(month: 1, day: 1)

    /// The last day of a year.
    static let newYearsEve = MonthAndDay(month: 12, day: 31)
}

extension MonthAndDay: TextValue, Comparable {
    /// Whether the left day comes before the right one in a year.
    public static func < (left: MonthAndDay, right: MonthAndDay) -> Bool {
        (left.month, left.day) < (right.month, right.day)
    }

    /// Month and day as `MM-dd`.
    public var text: String { "\(padded(month, 2))-\(padded(day, 2))" }
}
