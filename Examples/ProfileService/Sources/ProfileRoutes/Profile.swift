import Hummingbird
import UserProfileKit

/// A user in the JSON form of the service.
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
