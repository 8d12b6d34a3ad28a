import UserProfileKit

/// The fields of a form with the text that the user entered, and the error message of each invalid field.
struct ProfileEditor: Sendable {
    private(set) var id = ""
    private(set) var mail = ""
    private(set) var birthday = ""
    /// The mail address and the birthday from which the form was rendered, encoded as in an address: the template would
    /// replace control characters.
    private(set) var savedMail = ""
    private(set) var savedBirthday = ""
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
        savedMail = Form.encode(mail)
        savedBirthday = Form.encode(birthday)
    }

    /// Replaces all fields with the values of a submitted form.
    mutating func fill(_ form: Form) {
        id = form["id"] ?? ""
        mail = form["mail"] ?? ""
        birthday = form["birthday"] ?? ""
    }

    /// Replaces one field, `mail` or `birthday`, with the value of a submitted form.
    mutating func fill(_ form: Form, _ field: String) {
        if field == "mail" {
            (mail, savedMail) = (form["mail"] ?? "", form["saved"] ?? "")
        } else {
            (birthday, savedBirthday) = (form["birthday"] ?? "", form["saved"] ?? "")
        }
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
    /// - Returns: Whether it was saved. It is not saved if the profile was deleted, or its mail address was changed,
    ///   after the form was rendered.
    mutating func saveMailAddress(in storage: UserProfileStorage, of user: UserID) async throws -> Bool {
        let address = validated(\.mailError, mail) { text throws(ValidationError) in try MailAddress(text) }
        guard !isInvalid else { return false }
        do {
            try await storage.profiles.saveMailAddress(address, of: user) { [savedMail, mail] user in
                try Outdated.check(user, "mail address", user?.mailAddress?.text, is: savedMail, or: mail)
            }
            return true
        } catch let error as Outdated {
            savedMail = Form.encode(error.current ?? "")
            mailError = error.description
        } catch let error as RepositoryError where error.code == .conflict {
            mailError = "\(error)"
        }
        return false
    }

    /// Saves the birthday, or removes it if the field is empty.
    ///
    /// - Returns: Whether it was saved. It is not saved if the profile was deleted, or its birthday was changed, after
    ///   the form was rendered.
    mutating func saveBirthday(in storage: UserProfileStorage, of user: UserID, now: Instant) async throws -> Bool {
        let date = validated(\.birthdayError, birthday) { text throws(ValidationError) in try Birthday(text) }
        guard !isInvalid else { return false }
        do {
            try await storage.profiles.saveBirthday(date, of: user, now: now) { [savedBirthday, birthday] user in
                try Outdated.check(user, "birthday", user?.birthday?.text, is: savedBirthday, or: birthday)
            }
            return true
        } catch let error as Outdated {
            savedBirthday = Form.encode(error.current ?? "")
            birthdayError = error.description
        } catch let error as ValidationError {
            birthdayError = "\(error)"
        }
        return false
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

/// The profile was deleted, or the field was changed, after the form was rendered.
private struct Outdated: Error, CustomStringConvertible {
    let description: String
    /// The saved value of the field.
    let current: String?

    /// Compares the saved value of a field with the one from which the form was rendered, and with the entered one.
    static func check(
        _ user: User?, _ field: String, _ current: String?, is rendered: String, or entered: String
    ) throws {
        guard user != nil else { throw Outdated(description: "The profile was deleted meanwhile.", current: nil) }
        if Form.encode(current ?? "") == rendered || current ?? "" == entered { return }
        let change = current.map { "changed to \($0)" } ?? "removed"
        throw Outdated(
            description: "The \(field) was \(change) meanwhile. To replace this change, save again.", current: current)
    }
}
