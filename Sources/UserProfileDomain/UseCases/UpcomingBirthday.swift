/// A user's next birthday.
public struct UpcomingBirthday: Hashable, Sendable {
    /// The user.
    public let user: User

    /// The date of the next birthday: 1 March for a user born on 29 February in years without that day.
    public let date: CalendarDate

    /// The age that the user reaches on that date, in years.
    public let age: Int
}

extension Filter<User> {
    /// Returns a filter that matches if the next birthday on or after a day is within a range of days.
    ///
    /// A user born on 29 February has the birthday on 1 March in years without that day. A day before the date of birth
    /// is not a birthday.
    ///
    /// - Parameters:
    ///   - first: The first day.
    ///   - last: The last day. If it is before `first`, the filter never matches.
    /// - Returns: The filter.
    package static func birthdayOccurs(from first: CalendarDate, through last: CalendarDate) -> Filter {
        // In a year without 29 February, a birthday on that day falls on 1 March, so a range from 1 March includes it.
        let isLeapDayOnFirst = MonthDay(first) == .firstOfMarch && !CalendarDate.isLeap(first.year)
        let (from, through) = (isLeapDayOnFirst ? .leapDay : MonthDay(first), MonthDay(last))
        let falls: Filter =
            if last.year <= first.year {
                last < first ? Filter(.or([])) : .between(\.monthDay, from, through)
            } else if last.year == first.year + 1, through < from {
                // The range extends over the turn of the year. A range with two bounds narrows a query more than one
                // with one bound.
                .between(\.monthDay, from, .newYearsEve) || .between(\.monthDay, .newYearsDay, through)
            } else {
                .exists(\.monthDay)
            }
        return falls && \.birthday <= Birthday(last)
    }
}
