import UserProfileDomain

/// The decoded values of a line, from which a user is created.
struct ParsedFields {
    private var id: String?
    private var mailAddress: String?
    private var birthday: String?

    /// The fields that have occurred in the line, one bit each.
    private var seen: UInt8 = 0

    /// Records that a field occurs.
    ///
    /// - Returns: Whether the field occurs for the first time.
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

    /// Sets the value of a field. An empty string means a missing value, except for an id.
    mutating func set(_ text: String, as field: ProfileField) {
        switch field {
        case .id: id = text
        case .mailAddress: mailAddress = text.isEmpty ? nil : text
        case .birthday: birthday = text.isEmpty ? nil : text
        }
    }

    /// Creates the user. Throws ``LineProblem`` if a value is invalid or the id is missing.
    func user(now: Instant) throws(LineProblem) -> User {
        guard let id, !id.isEmpty else { throw LineProblem("the id is missing; add one") }
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
