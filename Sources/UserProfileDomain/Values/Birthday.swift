/// The day somebody was born: a calendar date without time or zone.
///
/// As text it is the `full-date` of RFC 3339, section 5.6, e.g. `2011-08-01`.
public struct Birthday: Hashable, Sendable {
    /// The day.
    public let date: CalendarDate

    /// Makes a birthday of a day.
    ///
    /// - Parameter date: the day.
    public init(_ date: CalendarDate) { self.date = date }

    /// Reads a birthday from text.
    ///
    /// - Parameter text: `yyyy-MM-dd`, years 0001 to 9999.
    /// - Throws: ``ValidationError`` that says which rule the text breaks and where.
    public init(_ text: String) throws(ValidationError) {
        do {
            date = try CalendarDate(text)
        } catch {
            throw ValidationError(.birthday, given: error.given, rule: error.rule, offset: error.offset)
        }
    }

    /// Refuses a birthday that is still to come everywhere on Earth.
    ///
    /// - Parameter now: the present.
    /// - Throws: ``ValidationError`` where the day has not begun anywhere.
    package func checkHasBegun(at now: Instant) throws(ValidationError) {
        // The day begins first in the zone that is 14 hours ahead of UTC.
        let latest = now.date(utcOffset: 14 * 3600)
        guard latest.map({ date <= $0 }) ?? (now.seconds >= 0) else {
            let today = latest.map { ", today is \($0) at the latest" } ?? ""
            throw ValidationError(.birthday, given: text, rule: "it is in the future\(today)")
        }
    }

    /// The age in whole years on a day, or nil on a day before the birth.
    ///
    /// Somebody born on 29 February becomes a year older on 1 March in years without that day.
    public func age(on day: CalendarDate) -> Int? {
        guard day >= date else { return nil }
        let hasHadBirthday = (day.month, day.day) >= monthAndDay(inYear: day.year)
        return day.year - date.year - (hasHadBirthday ? 0 : 1)
    }

    /// The next birthday on or after a day, but not before the birth itself.
    ///
    /// - Parameter day: the day to look from.
    /// - Returns: the day, 1 March for somebody born on 29 February in years without it; nil after the year 9999.
    public func next(onOrAfter day: CalendarDate) -> CalendarDate? {
        guard day > date else { return date }
        let isOver = (day.month, day.day) > monthAndDay(inYear: day.year)
        let year = isOver ? day.year + 1 : day.year
        let (month, dayOfMonth) = monthAndDay(inYear: year)
        guard year <= 9999 else { return nil }
        return CalendarDate(knownYear: year, month: month, day: dayOfMonth)
    }

    private func monthAndDay(inYear year: Int) -> (Int, Int) {
        (date.month, date.day) == (2, 29) && !CalendarDate.isLeap(year) ? (3, 1) : (date.month, date.day)
    }
}

extension Birthday: TextValue, Comparable {
    /// Whether the left birthday is earlier.
    public static func < (left: Birthday, right: Birthday) -> Bool { left.date < right.date }

    /// The birthday as `yyyy-MM-dd`.
    public var text: String { date.text }
}
