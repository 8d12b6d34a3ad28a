import Hummingbird
import UserProfileKit

/// A user as the service shows one, in JSON.
struct Profile: ResponseCodable {
    let id: UserID
    let mailAddress: MailAddress?
    let birthday: Birthday?

    init(_ user: User) {
        id = user.id
        mailAddress = user.mailAddress
        birthday = user.birthday
    }
}

/// The body of a request that sets one value.
struct NewMailAddress: Decodable {
    let mailAddress: MailAddress
}

/// The body of a request that sets one value.
struct NewBirthday: Decodable {
    let birthday: Birthday
}
