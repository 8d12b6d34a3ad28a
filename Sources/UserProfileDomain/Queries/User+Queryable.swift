extension User: Queryable {
    /// The fields of a user that queries can use.
    public struct Fields: Sendable {
        /// The id.
        public let id = EntityField<User, UserID>("id")
        /// The mail address. Comparisons ignore the case of ASCII letters in the domain. Sorts compare the
        /// text with the domain in lower case.
        public let mailAddress = EntityField<User, MailAddress>("mailAddress")
        /// The birthday.
        public let birthday = EntityField<User, Birthday>("birthday")
        /// The month and the day of the birthday.
        public let monthDay = EntityField<User, MonthDay>("monthDay")
    }

    /// The fields of a user that queries can use.
    public static let fields = Fields()
}
