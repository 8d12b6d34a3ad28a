/// The operations of a program on user profiles: save and read a user's mail address and birthday.
///
/// ```swift
/// try await storage.profiles.saveMailAddress(MailAddress("vision@example.com"))
/// let address = try await storage.profiles.mailAddress()
/// ```
///
/// Saving one value keeps the other, even if several tasks save concurrently. To list, query, count, observe or delete
/// users, use their ``Repository``. The functions throw a ``RepositoryError`` if the store fails, and
/// `CancellationError` if the task is cancelled.
public struct UserUseCase: Sendable, HidesEntities {
    private let users: any Repository<User>

    /// Creates a use case.
    ///
    /// - Parameter users: The repository in which the users are stored.
    public init(users: any Repository<User>) { self.users = users }

    /// Saves the mail address of a user. If the user does not exist, it is created.
    ///
    /// - Parameters:
    ///   - address: The mail address, or `nil` to remove it.
    ///   - id: The id of the user.
    ///   - precondition: Receives the saved user, or `nil`, in the transaction of the save. If it throws, nothing is
    ///     changed. It may run more than once.
    /// - Throws: ``RepositoryError`` if the store fails, `CancellationError` if the task is cancelled, or the error of
    ///   `precondition`. In each case nothing is changed.
    public func saveMailAddress(
        _ address: MailAddress?, of id: UserID = .me,
        precondition: @escaping @Sendable (User?) throws -> Void = { _ in }
    ) async throws {
        try await users.update(id) { user in
            try precondition(user)
            user = user ?? User(id: id)
            user?.mailAddress = address
        }
    }

    /// Removes the mail address of a user. The birthday does not change, and no user is created.
    ///
    /// - Parameter id: The user's id.
    /// - Returns: Whether the user had a mail address.
    /// - Throws: ``RepositoryError`` if the store fails, or `CancellationError` if the task is cancelled. In both cases
    ///   nothing is changed.
    @discardableResult
    public func clearMailAddress(of id: UserID = .me) async throws -> Bool { try await clear(\.mailAddress, of: id) }

    /// Returns the mail address of a user, or `nil` if none is saved.
    public func mailAddress(of id: UserID = .me) async throws -> MailAddress? { try await users.find(id)?.mailAddress }

    /// Saves the birthday of a user. If the user does not exist, it is created.
    ///
    /// - Parameters:
    ///   - birthday: The birthday, or `nil` to remove it.
    ///   - id: The id of the user.
    ///   - now: The current time, with which the birthday is compared.
    ///   - precondition: Receives the saved user, or `nil`, in the transaction of the save. If it throws, nothing is
    ///     changed. It may run more than once.
    /// - Throws: ``ValidationError`` if the birthday is in the future in every time zone, ``RepositoryError`` if the
    ///   store fails, `CancellationError` if the task is cancelled, or the error of `precondition`. In each case
    ///   nothing is changed.
    public func saveBirthday(
        _ birthday: Birthday?, of id: UserID = .me, now: Instant,
        precondition: @escaping @Sendable (User?) throws -> Void = { _ in }
    ) async throws {
        try birthday?.checkHasBegun(at: now)
        try await users.update(id) { user in
            try precondition(user)
            user = user ?? User(id: id)
            user?.birthday = birthday
        }
    }

    /// Removes the birthday of a user. The mail address does not change, and no user is created.
    ///
    /// - Parameter id: The user's id.
    /// - Returns: Whether the user had a birthday.
    /// - Throws: ``RepositoryError`` if the store fails, or `CancellationError` if the task is cancelled. In both cases
    ///   nothing is changed.
    @discardableResult
    public func clearBirthday(of id: UserID = .me) async throws -> Bool { try await clear(\.birthday, of: id) }

    private func clear<Value>(
        _ value: any WritableKeyPath<User, Value?> & Sendable, of id: UserID
    ) async throws -> Bool {
        // Without a value, there is nothing to write.
        guard try await users.find(id)?[keyPath: value] != nil else { return false }
        return try await users.update(id) { user in
            defer { user?[keyPath: value] = nil }
            return user?[keyPath: value] != nil
        }
    }

    /// Returns the birthday of a user, or `nil` if none is saved.
    public func birthday(of id: UserID = .me) async throws -> Birthday? { try await users.find(id)?.birthday }

    /// Saves a new profile. If a profile with the same id exists, nothing is changed.
    ///
    /// - Parameters:
    ///   - user: The profile to save.
    ///   - now: The current time, with which the birthday is compared.
    /// - Throws: ``ValidationError`` if the birthday is in the future in every time zone. ``RepositoryError`` if the
    ///   store fails, with the code ``RepositoryError/Code/conflict`` if a profile with the same id exists.
    ///   `CancellationError` if the task is cancelled. In each case nothing is changed.
    public func create(_ user: User, now: Instant) async throws {
        try user.birthday?.checkHasBegun(at: now)
        try await users.insert(user)
    }

    /// Merges a profile into the saved profile with the same id, in one transaction.
    ///
    /// A value that is `nil` in the given profile leaves the saved value unchanged. If the user does not exist, it is
    /// created.
    ///
    /// - Parameters:
    ///   - user: The profile to merge, e.g. from an import.
    ///   - now: The current time, with which the birthday is compared.
    /// - Throws: ``ValidationError`` if the birthday is in the future in every time zone, ``RepositoryError`` if the
    ///   store fails, or `CancellationError` if the task is cancelled. In each case nothing is changed.
    public func merge(_ user: User, now: Instant) async throws {
        try user.birthday?.checkHasBegun(at: now)
        try await users.update(user.id) { merged in
            merged = User(
                id: user.id, mailAddress: user.mailAddress ?? merged?.mailAddress,
                birthday: user.birthday ?? merged?.birthday)
        }
    }

    /// Returns the users that have a given mail address, in the order of their ids.
    ///
    /// Several users may have the same address, unless the store was opened with a unique index on mail addresses.
    ///
    /// - Parameter address: The mail address, in any of its spellings.
    /// - Returns: The users, or an empty array if no user has the address.
    /// - Throws: ``RepositoryError`` if the read fails, or `CancellationError` if the task is cancelled.
    public func users(withMailAddress address: MailAddress) async throws -> [User] {
        try await users.find(Query(where: \.mailAddress == address)).entities
    }

    /// Returns the birthdays from a first day through a last day, ordered by date and then by user id.
    ///
    /// - Parameters:
    ///   - today: The first day.
    ///   - days: The number of days from the first day to the last day. 0 selects only the first day, and a negative
    ///     number selects none. In a period of several years, each user has several birthdays.
    /// - Returns: The birthdays. All are read from one snapshot and loaded into memory.
    /// - Throws: ``RepositoryError`` if the read fails, or `CancellationError` if the task is cancelled.
    public func birthdays(from today: CalendarDate, within days: Int) async throws -> [UpcomingBirthday] {
        guard days >= 0 else { return [] }
        // No date exists after the year 9999.
        let last = CalendarDate(daysSince1970: today.daysSince1970 + min(days, 10_000 * 366)) ?? .last
        // The query sorts by month and day, which is nearly the final order.
        let query = Query<User>(where: .birthdayOccurs(from: today, through: last), sort: [.ascending(\.monthDay)])
        do {
            return try await upcoming(query, from: today, through: last)
        } catch let error as RepositoryError where error.code == .programmingError {
            // No query compares sealed birthdays, so all of them are read.
            return try await upcoming(Query(where: \.birthday != nil), from: today, through: last)
        }
    }

    private func upcoming(
        _ query: Query<User>, from today: CalendarDate, through last: CalendarDate
    ) async throws -> [UpcomingBirthday] {
        let upcoming: [UpcomingBirthday] = try await users.reduce(query, into: []) { upcoming, user in
            guard let birthday = user.birthday else { return }
            var first: CalendarDate? = today
            while let date = first.flatMap(birthday.next), date <= last, let age = birthday.age(on: date) {
                upcoming.append(UpcomingBirthday(user: user, date: date, age: age))
                first = date.year < last.year ? CalendarDate(daysSince1970: date.daysSince1970 + 1) : nil
            }
        }
        return upcoming.sorted { ($0.date, $0.user.id) < ($1.date, $1.user.id) }
    }
}

/// A birthday of a user within a period. ``UserUseCase/birthdays(from:within:)`` returns it.
///
/// ```swift
/// for birthday in try await storage.profiles.birthdays(from: today, within: 30) {
///     print(birthday.date, birthday.user.id, birthday.age)
/// }
/// ```
public struct UpcomingBirthday: Hashable, Sendable {
    /// The user whose birthday it is.
    public let user: User

    /// The date of the birthday. For a user born on 29 February, it is 1 March in years without that day.
    public let date: CalendarDate

    /// The age in years that the user reaches on that date.
    public let age: Int
}

extension Filter<User> {
    /// Returns a filter for users whose birthday is within a range of days.
    ///
    /// The birthday of a user born on 29 February is 1 March in years without that day. The date of birth itself
    /// counts as a birthday, and no earlier date does.
    ///
    /// - Parameters:
    ///   - first: The first day of the range.
    ///   - last: The last day of the range, which is not before `first`.
    /// - Returns: The filter.
    package static func birthdayOccurs(from first: CalendarDate, through last: CalendarDate) -> Filter {
        // In a year without 29 February, a birthday on that day falls on 1 March. In such a year, a range that starts
        // on 1 March must therefore include 29 February.
        let isLeapDayOnFirst = MonthDay(first) == .firstOfMarch && !CalendarDate.isLeap(first.year)
        let (from, through) = (isLeapDayOnFirst ? .leapDay : MonthDay(first), MonthDay(last))
        let falls: Filter =
            if last.year == first.year {
                .between(\.monthDay, from, through)
            } else if last.year == first.year + 1, through < from {
                // The range extends over the turn of the year. A condition with two bounds reads fewer index entries
                // than one with a single bound.
                .between(\.monthDay, from, MonthDay(.last))
                    || .between(\.monthDay, MonthDay(CalendarDate(knownYear: 1, month: 1, day: 1)), through)
            } else {
                .exists(\.monthDay)
            }
        return falls && \.birthday <= Birthday(last)
    }
}
