/// The operations of a program on profiles: save and read a user's mail address and birthday.
///
/// Saving one of them does not change the other, even if several tasks save concurrently. The functions throw a
/// ``RepositoryError``, or `CancellationError` if the task was cancelled. To list, query, count, observe or delete
/// users, call their ``Repository``.
public struct UserUseCase: Sendable {
    private let users: any Repository<User>

    /// Creates a use case.
    ///
    /// - Parameter users: The repository of the users.
    public init(users: any Repository<User>) { self.users = users }

    /// Saves a mail address. Creates the user if it does not exist.
    ///
    /// - Parameters:
    ///   - address: The mail address, or `nil` to remove it.
    ///   - id: The user's id.
    /// - Throws: ``RepositoryError`` or `CancellationError`; then nothing is changed.
    public func saveMailAddress(_ address: MailAddress?, of id: UserID = .me) async throws {
        try await users.update(id) { user in
            user = user ?? User(id: id)
            user?.mailAddress = address
        }
    }

    /// Returns the mail address of a user, or `nil` if it has not been saved.
    public func mailAddress(of id: UserID = .me) async throws -> MailAddress? {
        try await users.find(id)?.mailAddress
    }

    /// Saves a birthday. Creates the user if it does not exist.
    ///
    /// - Parameters:
    ///   - birthday: The birthday, or `nil` to remove it.
    ///   - id: The user's id.
    ///   - now: The current time, which determines whether the birthday is in the future.
    /// - Throws: Also ``ValidationError`` if the day has not begun in any time zone.
    public func saveBirthday(_ birthday: Birthday?, of id: UserID = .me, now: Instant) async throws {
        try birthday?.checkHasBegun(at: now)
        try await users.update(id) { user in
            user = user ?? User(id: id)
            user?.birthday = birthday
        }
    }

    /// Returns the birthday of a user, or `nil` if it has not been saved.
    public func birthday(of id: UserID = .me) async throws -> Birthday? { try await users.find(id)?.birthday }

    /// Merges a profile from elsewhere into the saved one, in one transaction. Values that are `nil` in the profile do
    /// not change the saved ones. Creates the user if it does not exist.
    ///
    /// - Parameters:
    ///   - user: The profile to merge.
    ///   - now: The current time, which determines whether the birthday is in the future.
    /// - Throws: ``ValidationError`` if the birthday has not begun in any time zone, ``RepositoryError`` or
    ///   `CancellationError`; then nothing is changed.
    public func merge(_ user: User, now: Instant) async throws {
        try user.birthday?.checkHasBegun(at: now)
        try await users.update(user.id) { merged in
            merged = User(
                id: user.id, mailAddress: user.mailAddress ?? merged?.mailAddress,
                birthday: user.birthday ?? merged?.birthday)
        }
    }

    /// Returns the users with a mail address, in the order of their ids. Several users may have the same address,
    /// unless the repository enforces unique addresses.
    ///
    /// - Parameter address: The mail address. The comparison ignores the case of ASCII letters in its domain.
    /// - Returns: The users.
    /// - Throws: ``RepositoryError``.
    public func users(withMailAddress address: MailAddress) async throws -> [User] {
        try await users.find(Query(where: \.mailAddress == address)).entities
    }

    /// Returns the birthdays on a day and the days after it, ordered by date and then by user id.
    ///
    /// - Parameters:
    ///   - today: The first day.
    ///   - days: The number of days after it. 0 selects that day alone, 365 or more selects every birthday, and a
    ///     negative number selects none.
    /// - Returns: The birthdays, read from one snapshot and all loaded into memory.
    /// - Throws: ``RepositoryError``.
    public func birthdays(from today: CalendarDate, within days: Int) async throws -> [UpcomingBirthday] {
        guard days >= 0 else { return [] }
        // 366 days include every user's next birthday. A date after the year 9999 does not exist.
        let last = CalendarDate(daysSince1970: today.daysSince1970 + min(days, 366)) ?? .last
        // The query sorts by month and day, which is nearly the order of the result.
        let query = Query<User>(where: .birthdayOccurs(from: today, through: last), sort: [.ascending(\.monthDay)])
        var upcoming = try await users.reduce(query, into: [UpcomingBirthday]()) { upcoming, user in
            guard let birthday = user.birthday, let date = birthday.next(onOrAfter: today),
                let age = birthday.age(on: date)
            else { return }
            upcoming.append(UpcomingBirthday(user: user, date: date, age: age))
        }
        upcoming.sort { ($0.date, $0.user.id) < ($1.date, $1.user.id) }
        return upcoming
    }
}
