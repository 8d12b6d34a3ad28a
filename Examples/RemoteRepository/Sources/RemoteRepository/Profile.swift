import UserProfileDomain

/// A user in the JSON form of the service.
struct Profile: Codable, Sendable {
    let id: UserID
    let mailAddress: MailAddress?
    let birthday: Birthday?
    /// The tag of this state of the user.
    let etag: String

    var user: User { User(id: id, mailAddress: mailAddress, birthday: birthday) }
}

/// A page of users in the JSON form of the service.
struct ProfilePage: Decodable {
    let users: [Profile]
    let next: [String?]?

    /// The position of the next page: the value of each sort, and then the id.
    var cursor: Query<User>.Cursor? {
        get throws {
            guard let next, let id = next.last ?? nil else { return nil }
            return Query<User>.Cursor(values: next.dropLast().map { $0.map(Operand.text) }, id: try UserID(stored: id))
        }
    }
}

/// The number of users that the service counted or deleted.
struct UserCount: Decodable {
    let count: Int
}

/// The values of a user in a request.
struct NewProfile: Encodable {
    let mailAddress: MailAddress?
    let birthday: Birthday?
}
