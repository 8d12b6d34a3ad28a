import UserProfileKit

/// The fields of a form with the text that the user entered, and the error message of each invalid field.
struct ProfileEditor: Sendable {
    private(set) var id = ""
    private(set) var mail = ""
    private(set) var birthday = ""
    private(set) var idError: String?
    private(set) var mailError: String?
    private(set) var birthdayError: String?

    /// Creates an empty form.
    init() {}

    /// Creates the form of an existing profile.
    init(_ user: User) {
        id = user.id.text
        mail = user.mailAddress?.text ?? ""
        birthday = user.birthday?.text ?? ""
    }

    /// Replaces all fields with the values of a submitted form.
    mutating func fill(_ form: Form) {
        id = form["id"] ?? ""
        mail = form["mail"] ?? ""
        birthday = form["birthday"] ?? ""
    }

    /// Replaces one field, `mail` or `birthday`, with the value of a submitted form.
    mutating func fill(_ form: Form, _ field: String) {
        if field == "mail" { mail = form["mail"] ?? "" } else { birthday = form["birthday"] ?? "" }
    }

    /// Whether a field is invalid.
    var isInvalid: Bool { idError != nil || mailError != nil || birthdayError != nil }

    /// Creates a profile that does not exist yet.
    ///
    /// - Parameters:
    ///   - storage: The storage.
    ///   - now: The current time.
    /// - Returns: The new profile, or `nil` if a field is invalid; then its error is set and nothing was changed.
    /// - Throws: `RepositoryError` if the store fails.
    mutating func create(in storage: UserProfileStorage, now: Instant) async throws -> User? {
        guard let id = validated(\.idError, id, { text throws(ValidationError) in try UserID(text) }) else {
            return nil
        }
        let mailAddress = validated(\.mailError, mail) { text throws(ValidationError) in try MailAddress(text) }
        let birthday = validated(\.birthdayError, birthday) { text throws(ValidationError) in try Birthday(text) }
        guard !isInvalid else { return nil }
        let user = User(id: id, mailAddress: mailAddress, birthday: birthday)
        do {
            try await storage.profiles.create(user, now: now)
            return user
        } catch let error as ValidationError {
            birthdayError = "\(error)"
        } catch let error as RepositoryError where error.code == .conflict {
            // A unique mail address is a rule of the store, so its error has a cause.
            if error.underlying == nil { idError = "\(error)" } else { mailError = "\(error)" }
        }
        return nil
    }

    /// Saves the mail address, or removes it if the field is empty.
    ///
    /// - Returns: Whether it was saved.
    mutating func saveMailAddress(in storage: UserProfileStorage, of user: UserID) async throws -> Bool {
        let address = validated(\.mailError, mail) { text throws(ValidationError) in try MailAddress(text) }
        guard !isInvalid else { return false }
        do {
            try await storage.profiles.saveMailAddress(address, of: user)
            return true
        } catch let error as RepositoryError where error.code == .conflict {
            mailError = "\(error)"
            return false
        }
    }

    /// Saves the birthday, or removes it if the field is empty.
    ///
    /// - Returns: Whether it was saved.
    mutating func saveBirthday(in storage: UserProfileStorage, of user: UserID, now: Instant) async throws -> Bool {
        let birthday = validated(\.birthdayError, birthday) { text throws(ValidationError) in try Birthday(text) }
        guard !isInvalid else { return false }
        do {
            try await storage.profiles.saveBirthday(birthday, of: user, now: now)
            return true
        } catch let error as ValidationError {
            birthdayError = "\(error)"
            return false
        }
    }

    /// Returns the value of a field, or `nil` if it is empty or invalid.
    private mutating func validated<Value>(
        _ error: WritableKeyPath<ProfileEditor, String?>, _ text: String,
        _ value: (String) throws(ValidationError) -> Value
    ) -> Value? {
        // An empty id is no id; the other fields are optional.
        guard !text.isEmpty || error == \.idError else { return nil }
        do throws(ValidationError) {
            return try value(text)
        } catch let invalid {
            self[keyPath: error] = "\(invalid)"
            return nil
        }
    }
}
