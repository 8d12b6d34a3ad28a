import UserProfileDomain

/// A user as lines of text.
struct UserCard {
    let user: User
    /// The date for which ages are computed, or `nil` to omit ages.
    let today: CalendarDate?

    /// Returns the lines of text. If `isDetailed` is `true`, they include the values that are computed from the
    /// birthday.
    func lines(isDetailed: Bool) -> [String] {
        var table = Table()
        table.add(["user", user.id.text])
        table.add(["mail address", user.mailAddress?.text ?? "none"])
        table.add(["birthday", (user.birthday?.description ?? "none") + (isDetailed ? details : "")])
        return table.lines(aligned: isDetailed)
    }

    private var details: String {
        guard let today, let birthday = user.birthday, let age = birthday.age(on: today),
            let next = birthday.next(onOrAfter: today)
        else { return "" }
        return next == today ? " (\(age) years old today)" : " (\(age) years old, next on \(next))"
    }
}
