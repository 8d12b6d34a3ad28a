/// The operations of a program on profiles: save and read a user's mail address and birthday.
///
/// Saving one of them does not change the other, even if several tasks save concurrently. The functions throw a
/// ``RepositoryError``, or `CancellationError` if the task was cancelled.
public struct UserUseCase: Sendable {
    private let users: any Repository<User>

    /// Creates a use case.
    ///
    /// - Parameter users: The repository of the users.
    public init(users: any Repository<User>) { self.users = users }

    /// Returns a user, or `nil` if the user has not been saved.
    public func user(_ id: UserID = .me) async throws -> User? { try await users.find(id) }

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

    /// Deletes a user with mail address and birthday.
    ///
    /// - Parameter id: The user's id.
    /// - Returns: Whether the user existed.
    /// - Throws: ``RepositoryError`` or `CancellationError`; then nothing is changed.
    @discardableResult
    public func delete(_ id: UserID = .me) async throws -> Bool { try await users.delete(id) }

    /// Returns users in the order of their ids.
    ///
    /// - Parameters:
    ///   - id: The id to start after; `nil` starts at the first user.
    ///   - limit: The maximum number of users; `nil` for all.
    /// - Returns: The users.
    /// - Throws: ``RepositoryError``.
    public func list(after id: UserID? = nil, limit: Int? = nil) async throws -> [User] {
        try await users.list(after: id, limit: limit)
    }

    // MARK: Queries

    /// Returns a page of the users that a query selects. It may read all users; ``explain(_:)`` reports whether it
    /// does.
    ///
    /// - Parameter query: The condition, the order and the size of the page.
    /// - Returns: The users, and the position of the next page.
    /// - Throws: ``RepositoryError``.
    public func find(_ query: Query<User>) async throws -> Page<User> { try await users.find(query) }

    /// Runs a query and returns how its answer is found, and how much is read.
    ///
    /// - Parameter query: The condition, the order and the size of the page.
    /// - Returns: The index that is used, and the number of entries and users that are read.
    /// - Throws: ``RepositoryError``.
    public func explain(_ query: Query<User>) async throws -> QueryExplanation { try await users.explain(query) }

    /// Returns a user, now and after each change by any program.
    ///
    /// - Parameter id: The user's id.
    /// - Returns: The states; a state is `nil` while the user is not saved.
    public func updates(of id: UserID = .me) -> Updates<User?> { users.updates(of: id) }

    /// Returns the users that a query selects, now and after each change of the result by any program.
    ///
    /// - Parameter query: The condition, the order and the size of the page. `Query()` selects all users.
    /// - Returns: The pages.
    public func updates(matching query: Query<User>) -> Updates<Page<User>> { users.updates(matching: query) }

    /// Returns the number of users.
    public func count() async throws -> Int { try await users.count() }

    /// Combines the users that a query selects, one at a time, in one snapshot.
    ///
    /// A query without a sort does not load all of them into memory. An LMDB store cannot reuse the pages that other
    /// writes replace while it runs, so `update` should not block for long.
    ///
    /// - Parameters:
    ///   - query: The condition and the order.
    ///   - initial: The value to start with.
    ///   - update: Adds a user to the value.
    /// - Returns: The combined value.
    /// - Throws: The error of `update`, or ``RepositoryError``.
    public func reduce<Value: Sendable>(
        _ query: Query<User> = Query(), into initial: Value, _ update: @Sendable (inout Value, User) throws -> Void
    ) async throws -> Value {
        try await users.reduce(query, into: initial, update)
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
    public func birthdays(from today: CalendarDate, within days: Int) async throws -> [ComingBirthday] {
        guard days >= 0 else { return [] }
        // 366 days include every user's next birthday. A date after the year 9999 does not exist.
        let last = CalendarDate(daysSince1970: today.daysSince1970 + min(days, 366)) ?? .last
        // The query sorts by month and day, which is nearly the order of the result.
        let query = Query<User>(where: .birthdayFalls(from: today, through: last), sort: [.ascending(\.monthDay)])
        var coming = try await users.reduce(query, into: [ComingBirthday]()) { coming, user in
            guard let birthday = user.birthday, let date = birthday.next(onOrAfter: today),
                let age = birthday.age(on: date)
            else { return }
            coming.append(ComingBirthday(user: user, date: date, age: age))
        }
        coming.sort { ($0.date, $0.user.id) < ($1.date, $1.user.id) }
        return coming
    }
}
