/// The profile of a user.
///
/// A saved user may have neither mail address nor birthday. That differs from a user who was never saved.
public struct User: Identifiable, Hashable, Sendable {
    /// The user's id.
    public let id: UserID

    /// The mail address, or `nil` if the user has none.
    public var mailAddress: MailAddress?

    /// The birthday, or `nil` if the user has none.
    public var birthday: Birthday?

    /// Creates a user.
    ///
    /// - Parameters:
    ///   - id: The user's id.
    ///   - mailAddress: The mail address, or `nil` for none.
    ///   - birthday: The birthday, or `nil` for none.
    public init(id: UserID, mailAddress: MailAddress? = nil, birthday: Birthday? = nil) {
        self.id = id
        self.mailAddress = mailAddress
        self.birthday = birthday
    }
}
