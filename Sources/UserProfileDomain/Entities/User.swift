/// A user with a mail address and a birthday, or without either of them.
///
/// ```swift
/// if let user = try await storage.users.find(.me) {
///     print(user.mailAddress?.text ?? "no mail address")
/// }
/// ```
///
/// A user without any value still exists. A repository returns `nil` only if the user was never saved, or was deleted.
public struct User: Identifiable, Hashable, Sendable {
    // The first property, because it has the largest alignment. In another order, a user would occupy more memory.
    /// The mail address, or `nil` if the user has none.
    public var mailAddress: MailAddress?

    /// The id that identifies the user in a repository.
    public let id: UserID

    /// The birthday, or `nil` if the user has none.
    public var birthday: Birthday?

    /// Creates a user.
    ///
    /// - Parameters:
    ///   - id: The id that identifies the user in a repository.
    ///   - mailAddress: The mail address, or `nil` if the user has none.
    ///   - birthday: The birthday, or `nil` if the user has none.
    public init(id: UserID, mailAddress: MailAddress? = nil, birthday: Birthday? = nil) {
        self.mailAddress = mailAddress
        self.id = id
        self.birthday = birthday
    }
}

extension User: Queryable {
    /// The fields by which queries can filter and sort users.
    ///
    /// ```swift
    /// let query = Query<User>(where: .exists(\.mailAddress), sort: [.ascending(\.birthday)])
    /// ```
    public struct Fields: Sendable {
        /// The id of the user.
        public let id = EntityField<User, UserID>("id")
        /// The mail address of the user. Comparisons and sorts use its comparable form, so
        /// that equal addresses are found and are neighbors.
        public let mailAddress = EntityField<User, MailAddress>("mailAddress")
        /// The date of birth of the user.
        public let birthday = EntityField<User, Birthday>("birthday")
        /// The month and the day of the user's birthday, without the year.
        public let monthDay = EntityField<User, MonthDay>("monthDay")
    }

    /// The queryable fields of a user.
    public static let fields = Fields()
}
