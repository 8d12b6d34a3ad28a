/// What a program does with profiles: save and read a user's mail address and birthday.
///
/// Saving one leaves the other as it is, also where several tasks save at once. Failures are a ``RepositoryError``, or
/// `CancellationError` where the task was cancelled.
public struct UserUseCase: Sendable {
    private let users: any Repository<User>

    /// Works on a repository.
    ///
    /// - Parameter users: where users are kept.
    public init(users: any Repository<User>) { self.users = users }

    /// The user, or nil where none was ever saved.
    public func user(_ id: UserID = .me) async throws -> User? { try await users.find(id) }

    /// Saves a mail address; the user is created where there is none.
    ///
    /// - Parameters:
    ///   - address: the mail address, or nil to have none.
    ///   - id: whose it is.
    /// - Throws: ``RepositoryError`` or `CancellationError`; then nothing is changed.
    public func saveMailAddress(_ address: MailAddress?, of id: UserID = .me) async throws {
        try await users.update(id) { user in
            user = user ?? User(id: id)
            user?.mailAddress = address
        }
    }

    /// The mail address of a user, or nil where none is saved.
    public func mailAddress(of id: UserID = .me) async throws -> MailAddress? {
        try await users.find(id)?.mailAddress
    }

    /// Saves a birthday; the user is created where there is none.
    ///
    /// - Parameters:
    ///   - birthday: the birthday, or nil to have none.
    ///   - id: whose it is.
    ///   - now: the present, which decides whether the birthday is still to come.
    /// - Throws: also ``ValidationError`` where the day has not begun anywhere on Earth.
    public func saveBirthday(_ birthday: Birthday?, of id: UserID = .me, now: Instant) async throws {
        try birthday?.checkHasBegun(at: now)
        try await users.update(id) { user in
            user = user ?? User(id: id)
            user?.birthday = birthday
        }
    }

    /// The birthday of a user, or nil where none is saved.
    public func birthday(of id: UserID = .me) async throws -> Birthday? { try await users.find(id)?.birthday }

    /// Saves the values that somebody has elsewhere, all or none. Those that are none there stay as they are here; the
    /// user is created where there is none.
    ///
    /// - Parameters:
    ///   - user: who, and what is known of the user elsewhere.
    ///   - now: the present, which decides whether the birthday is still to come.
    /// - Throws: ``ValidationError`` where the birthday has not begun anywhere on Earth, ``RepositoryError`` or
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
    /// - Parameter id: who.
    /// - Returns: whether there was one.
    /// - Throws: ``RepositoryError`` or `CancellationError`; then nothing is changed.
    @discardableResult
    public func delete(_ id: UserID = .me) async throws -> Bool { try await users.delete(id) }

    /// Users in the order of their ids.
    ///
    /// - Parameters:
    ///   - id: the listing begins after this one; nil: at the first.
    ///   - limit: how many at most; nil for all.
    /// - Returns: the users.
    /// - Throws: ``RepositoryError``.
    public func list(after id: UserID? = nil, limit: Int? = nil) async throws -> [User] {
        try await users.list(after: id, limit: limit)
    }

    // MARK: Finding

    /// A page of the users that a query asks for. It may have to look at all users: ``explain(_:)`` says whether.
    ///
    /// - Parameter query: which users, in which order, and how many.
    /// - Returns: the users, and where the next page begins.
    /// - Throws: ``RepositoryError``.
    public func find(_ query: Query<User>) async throws -> Page<User> { try await users.find(query) }

    /// Says how the users that a query asks for are found, and what it takes.
    ///
    /// - Parameter query: which users, in which order, and how many.
    /// - Returns: which index is used, and how much is looked at.
    /// - Throws: ``RepositoryError``.
    public func explain(_ query: Query<User>) async throws -> QueryExplanation { try await users.explain(query) }

    /// A user, now and after each change, whoever makes it.
    ///
    /// - Parameter id: who.
    /// - Returns: the states, nil while the user is not saved.
    public func updates(of id: UserID = .me) -> Updates<User?> { users.updates(of: id) }

    /// The users that a query asks for, now and after each change of the answer, whoever makes it.
    ///
    /// - Parameter query: which users, in which order, and how many: all of them with `Query()`.
    /// - Returns: the pages.
    public func updates(matching query: Query<User>) -> Updates<Page<User>> { users.updates(matching: query) }

    /// How many users there are.
    public func count() async throws -> Int { try await users.count() }

    /// Combines the users that a query selects, one at a time, in one snapshot.
    ///
    /// A query without a sort does not load all of them into memory. While it runs, an LMDB store keeps the pages that
    /// other writes replace, so `update` should not wait for long.
    ///
    /// - Parameters:
    ///   - query: The condition and the order.
    ///   - initial: The value to start with.
    ///   - update: Adds a user to the value.
    /// - Returns: The combined value.
    /// - Throws: What `update` throws, or ``RepositoryError``.
    public func reduce<Value: Sendable>(
        _ query: Query<User> = Query(), into initial: Value, _ update: @Sendable (inout Value, User) throws -> Void
    ) async throws -> Value {
        try await users.reduce(query, into: initial, update)
    }

    /// The users who have a mail address, in the order of their ids. (Two may have the same, where the repository does
    /// not refuse that.)
    ///
    /// - Parameter address: the mail address; the case of ASCII letters in its domain does not matter.
    /// - Returns: the users.
    /// - Throws: ``RepositoryError``.
    public func users(withMailAddress address: MailAddress) async throws -> [User] {
        try await users.find(Query(where: \.mailAddress == address)).entities
    }

    /// The birthdays that come on a day and the days after it, those who have the same day in the order of their ids.
    ///
    /// - Parameters:
    ///   - today: the first day.
    ///   - days: how many days after it: with 0 it is that day alone, with 365 or more nobody's birthday is left out.
    ///     Less than 0: none.
    /// - Returns: the birthdays in the order in which they come, of one moment and all in memory.
    /// - Throws: ``RepositoryError``.
    public func birthdays(from today: CalendarDate, within days: Int) async throws -> [ComingBirthday] {
        guard days >= 0 else { return [] }
        // A year and a day is more than the time to anybody's next birthday, and what comes after 9999 is no date.
        let last = CalendarDate(daysSince1970: today.daysSince1970 + min(days, 366)) ?? .last
        // In the order in which they fall in a year, which is nearly that in which they come.
        let query = Query<User>(where: .birthdayFalls(from: today, through: last), sort: [.ascending(\.dayOfYear)])
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
