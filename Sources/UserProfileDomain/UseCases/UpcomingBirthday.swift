/// A birthday of a user within a period. ``UserUseCase/birthdays(from:within:)`` returns it.
public struct UpcomingBirthday: Hashable, Sendable {
    /// The user who has the birthday.
    public let user: User

    /// The date of the birthday. For a user born on 29 February, it is 1 March in years without that day.
    public let date: CalendarDate

    /// The age in years that the user reaches on that date.
    public let age: Int
}

extension Filter<User> {
    /// Returns a filter that matches a user who has a birthday within a range of days.
    ///
    /// The birthday of a user born on 29 February is 1 March in years without that day. The date of birth itself
    /// counts as a birthday, and no earlier date does.
    ///
    /// - Parameters:
    ///   - first: The first day of the range.
    ///   - last: The last day of the range. If it is before `first`, the filter never matches.
    /// - Returns: The filter.
    package static func birthdayOccurs(from first: CalendarDate, through last: CalendarDate) -> Filter {
        // In a year without 29 February, a birthday on that day falls on 1 March. In such a year, a range that starts
        // on 1 March must therefore include 29 February.
        let isLeapDayOnFirst = MonthDay(first) == .firstOfMarch && !CalendarDate.isLeap(first.year)
        let (from, through) = (isLeapDayOnFirst ? .leapDay : MonthDay(first), MonthDay(last))
        let falls: Filter =
            if last.year <= first.year {
                last < first ? Filter(.or([])) : .between(\.monthDay, from, through)
            } else if last.year == first.year + 1, through < from {
                // The range extends over the turn of the year. A condition with two bounds reads fewer index entries
                // than one with a single bound.
                .between(\.monthDay, from, .newYearsEve) || .between(\.monthDay, .newYearsDay, through)
            } else {
                .exists(\.monthDay)
            }
        return falls && \.birthday <= Birthday(last)
    }
}
