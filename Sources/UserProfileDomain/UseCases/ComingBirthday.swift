/// A user's next birthday.
public struct ComingBirthday: Hashable, Sendable {
    /// Whose it is.
    public let user: User

    /// The day it falls on: 1 March for somebody born on 29 February in years without that day.
    public let date: CalendarDate

    /// How old the user becomes, in years.
    public let age: Int
}

extension Filter<User> {
    /// Whether the next birthday on or after a day falls on that day or the days after it.
    ///
    /// Somebody born on 29 February has it on 1 March in years without that day, and nobody has one before the birth.
    ///
    /// - Parameters:
    ///   - first: the first day.
    ///   - last: the last day; where it is before `first`, nobody's falls there.
    /// - Returns: the filter.
    public static func birthdayFalls(from first: CalendarDate, through last: CalendarDate) -> Filter {
        // In a year without it, the leap day is over when 1 March is.
        let isLeapDayOnFirst = MonthAndDay(first) == .firstOfMarch && !CalendarDate.isLeap(first.year)
        let (from, through) = (isLeapDayOnFirst ? .leapDay : MonthAndDay(first), MonthAndDay(last))
        let falls: Filter =
            if last.year <= first.year {
                last < first ? Filter(.or([])) : .between(\.dayOfYear, from, through)
            } else if last.year == first.year + 1, through < from {
                // Over the turn of the year. Ranges with two ends say more than those with one.
                .between(\.dayOfYear, from, .newYearsEve) || .between(\.dayOfYear, .newYearsDay, through)
            } else {
                .exists(\.dayOfYear)
            }
        return falls && \.birthday <= Birthday(last)
    }
}
