import Foundation
import Hummingbird
import UserProfileKit

/// A user in the JSON form of the service.
struct Profile: ResponseCodable {
    let id: UserID
    let mailAddress: MailAddress?
    let birthday: Birthday?
    /// The entity tag. A response with a single user has it in the header `ETag`, too.
    let etag: String

    init(_ user: User) {
        id = user.id
        mailAddress = user.mailAddress
        birthday = user.birthday
        etag = user.etag
    }
}

/// A page of users.
struct ProfilePage: ResponseEncodable {
    let users: [Profile]
    /// The position of the next page: the values of `after`. A missing value of a sort is `null`.
    let next: [String?]?

    init(_ page: Page<User>) {
        users = page.entities.map(Profile.init)
        next = page.next.map { $0.values.map(\.?.text) + [$0.id.text] }
    }
}

/// The number of users that were counted or deleted.
struct UserCount: ResponseEncodable {
    let count: Int
}

/// The body of a request that sets one value.
struct NewMailAddress: Decodable {
    let mailAddress: MailAddress
}

/// The body of a request that sets one value.
struct NewBirthday: Decodable {
    let birthday: Birthday
}

/// The body of a request that sets all values. A missing one is removed.
struct NewProfile: Decodable {
    let mailAddress: MailAddress?
    let birthday: Birthday?
}

/// A user to delete, with the entity tag that the client has read.
struct Deletion: Decodable, Sendable {
    let id: UserID
    let etag: String
}

extension Operand {
    /// The text. Every field of a user is compared as text.
    fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
}

extension User {
    /// The entity tag (RFC 9110, section 8.8.3). Users have the same tag if and only if all of their values are the
    /// same.
    var etag: String {
        // A birthday has no space.
        let values = "\(birthday?.text ?? "") \(mailAddress?.text ?? "")"
        return "\"\(Data(values.utf8).base64EncodedString())\""
    }
}
