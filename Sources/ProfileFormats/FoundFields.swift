import UserProfileDomain

/// The values of a line as they are found, and the user that they make.
struct FoundFields {
    private var id: String?
    private var mailAddress: String?
    private var birthday: String?

    /// Which fields there were, a bit for each.
    private var seen: UInt8 = 0

    /// Comes to a field.
    ///
    /// - Returns: whether it is there for the first time.
    mutating func begin(_ field: ProfileField) -> Bool {
        let bit: UInt8 =
            switch field {
            case .id: 1
            case .mailAddress: 2
            case .birthday: 4
            }
        defer { seen |= bit }
        return seen & bit == 0
    }

    /// Takes a value. An empty one is none.
    mutating func take(_ text: String, as field: ProfileField) {
        switch field {
        case .id: id = text
        case .mailAddress: mailAddress = text.isEmpty ? nil : text
        case .birthday: birthday = text.isEmpty ? nil : text
        }
    }

    /// The user, where the values keep all rules.
    func user(now: Instant) throws(LineProblem) -> User {
        guard let id, !id.isEmpty else { throw LineProblem("it has no id: whose profile is it?") }
        do throws(ValidationError) {
            var user = User(id: try UserID(id))
            if let mailAddress { user.mailAddress = try MailAddress(mailAddress) }
            if let birthday {
                let birthday = try Birthday(birthday)
                try birthday.checkHasBegun(at: now)
                user.birthday = birthday
            }
            return user
        } catch {
            throw LineProblem(error)
        }
    }
}
