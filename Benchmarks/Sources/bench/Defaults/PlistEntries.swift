import UserProfileDomain

/// The entries in the file of a property-list store with profiles, for `PropertyListEncoder`.
struct PlistEntries: Encodable {
    private struct Profile: Encodable {
        enum CodingKeys: String, CodingKey {
            case mailAddress, birthday
            case comparable = "mailAddress-key"
        }

        /// The addresses of the benchmark are their own comparable forms.
        var mailAddress: String { didSet { comparable = mailAddress } }
        private var comparable: String
        let birthday: String

        init(mailAddress: String, birthday: String) {
            (self.mailAddress, comparable, self.birthday) = (mailAddress, mailAddress, birthday)
        }
    }

    private struct Store: Encodable {
        enum CodingKeys: String, CodingKey {
            case format = "$format"
            case users
        }

        let format = 2
        var users: [String: Profile]
    }

    private enum CodingKeys: String, CodingKey { case store = "UserProfile" }

    private var store: Store

    /// Creates the entries of a number of profiles.
    init(count: Int) throws {
        store = Store(users: [:])
        for number in 0..<count {
            let user = try Profiles.user(number)
            store.users[user.id.text] = Profile(
                mailAddress: user.mailAddress?.text ?? "", birthday: user.birthday?.description ?? "")
        }
    }

    mutating func set(_ mailAddress: String, of number: Int) {
        store.users["user-\(number)"]?.mailAddress = mailAddress
    }
}
