extension User: Queryable {
    /// What can be asked about users.
    public struct Fields: Sendable {
        /// The id.
        public let id = EntityField<User, UserID>("id")
        /// The mail address. It compares ignoring the ASCII case of the domain, and sorts by the text with the domain
        /// in lower case.
        public let mailAddress = EntityField<User, MailAddress>("mailAddress")
        /// The birthday.
        public let birthday = EntityField<User, Birthday>("birthday")
        /// Month and day of the birthday.
        public let dayOfYear = EntityField<User, MonthAndDay>("dayOfYear")
    }

    /// What can be asked about users.
    public static let fields = Fields()
}
