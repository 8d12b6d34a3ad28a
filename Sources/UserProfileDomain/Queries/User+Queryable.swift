extension User: Queryable {
    /// The fields by which queries can filter and sort users.
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
