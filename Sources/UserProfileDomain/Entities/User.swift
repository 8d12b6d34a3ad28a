/// Somebody whose profile is kept.
///
/// A user without mail address and birthday exists; that is something else than a user who was never saved.
public struct User: Identifiable, Hashable, Sendable {
    /// Who it is.
    public let id: UserID

    /// The mail address, or none.
    public var mailAddress: MailAddress?

    /// The birthday, or none.
    public var birthday: Birthday?

    /// Describes a user.
    ///
    /// - Parameters:
    ///   - id: who it is.
    ///   - mailAddress: the mail address, or none.
    ///   - birthday: the birthday, or none.
    public init(id: UserID, mailAddress: MailAddress? = nil, birthday: Birthday? = nil) {
        self.id = id
        self.mailAddress = mailAddress
        self.birthday = birthday
    }
}
