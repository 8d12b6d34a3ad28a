import UserProfileKit

/// The current time, and the day in local time.
struct Clock: Sendable {
    let now: @Sendable () -> Instant

    /// The system's clock.
    static let system = Clock { .now }

    /// Returns the current day.
    ///
    /// - Throws: ``InvalidClock`` if the year is not 1 to 9999.
    func today() throws(InvalidClock) -> CalendarDate {
        guard let today = day(after: 0) else { throw InvalidClock() }
        return today
    }

    /// Returns a day after today, or `nil` after the year 9999.
    func day(after days: Int) -> CalendarDate? {
        let now = now()
        return Instant(seconds: now.seconds + Int64(days) * 86_400).date(utcOffset: now.localUTCOffset)
    }
}

/// The clock of the system shows a year that is not 1 to 9999.
struct InvalidClock: Error, CustomStringConvertible {
    let description = "the clock of the system shows no valid year; set the clock"
}
