import DataStorePlist
import DataStoreSystem

extension User {
    /// Reads the profile that an app stores in a suite of `UserDefaults`, from the entries `mailAddress` and
    /// `birthDay`.
    ///
    /// ```swift
    /// if let user = try User.readDefaults(ofSuite: "com.example.app", now: .now) {
    ///     try await storage.profiles.merge(user, now: .now)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the suite, e.g. `com.example.app`.
    ///   - id: The id of the returned user.
    ///   - utcOffset: A closure that returns the number of seconds by which local time is ahead of UTC at an instant.
    ///     It determines the day of a birthday that is stored as a date.
    ///   - now: The current time. The birthday must not be after it, and at most 150 years before it.
    /// - Returns: The profile, or `nil` if the suite has neither entry.
    /// - Throws: `ValidationError` if the name of the suite or an entry is invalid, or an error that names the file if
    ///   the file cannot be read. The `ValidationError` of an entry names the entry.
    public static func readDefaults(
        ofSuite name: String, id: UserID = .me, utcOffset: (Instant) -> Int = { $0.localUTCOffset }, now: Instant
    ) throws -> User? {
        try readDefaults(ofFileAt: StorageLocation.suite(name).address, id: id, utcOffset: utcOffset, now: now)
    }

    /// Reads the profile that an app stores in a property-list file, from the entries `mailAddress` and `birthDay`. Use
    /// it once, when the app moves from `UserDefaults` to a store.
    ///
    /// - `mailAddress` is a string. An empty string means that the user has no mail address.
    /// - `birthDay` is a string `yyyy-MM-dd` or a date. An empty string means that the user has no birthday. A date
    ///   stands for its day in local time, because apps store midnight in the user's time zone.
    ///
    /// Both values are validated as if they were saved. The file is not changed.
    ///
    /// - Parameters:
    ///   - path: The path of the file, an XML or a binary property list.
    ///   - id: The id of the returned user.
    ///   - utcOffset: A closure that returns the number of seconds by which local time is ahead of UTC at an instant.
    ///   - now: The current time. The birthday must not be after it, and at most 150 years before it.
    /// - Returns: The profile, or `nil` if the file has neither entry.
    /// - Throws: An error that names the file if it cannot be read. `ValidationError` with the name of the entry if its
    ///   value is invalid or of an unsupported type.
    public static func readDefaults(
        ofFileAt path: String, id: UserID = .me, utcOffset: (Instant) -> Int = { $0.localUTCOffset }, now: Instant
    ) throws -> User? {
        let (mailAddressKey, birthdayKey) = ("mailAddress", "birthDay")
        let entries: Record
        do {
            entries = try PlistDataStore.entries([mailAddressKey, birthdayKey], ofFileAt: path)
        } catch {
            // The file is an input and not a store, so its faults are faults of the input.
            let code: DataStoreError.Code =
                switch (error.code, error.errno) {
                case (.corrupted, _): .invalidRecord
                case (.notAStore, _), (_, ENOENT), (_, ENOTDIR), (_, ELOOP), (_, ENAMETOOLONG), (_, EISDIR): .noStore
                default: error.code
                }
            throw DataStoreError(
                code, error.reason, operation: "read the file", path: path, errno: error.errno, underlying: error)
        }
        guard !entries.isEmpty else { return nil }
        let mailAddress: MailAddress? = try content(of: entries, mailAddressKey, .mailAddress) { value in
            guard let text = value.string else { return nil }
            return .some(text.isEmpty ? nil : try MailAddress(text))
        }
        let birthday: Birthday? = try content(of: entries, birthdayKey, .birthday) { value in
            if let date = value.date { return .some(try localDay(of: date, utcOffset)) }
            guard let text = value.string else { return nil }
            return .some(text.isEmpty ? nil : try Birthday(text))
        }
        do {
            try birthday?.checkHasBegun(at: now)
            try birthday?.checkIsGregorian(at: now)
        } catch {
            throw error.at(birthdayKey)
        }
        return User(id: id, mailAddress: mailAddress, birthday: birthday)
    }

    /// Returns the converted value of an entry, or `nil` if the entry is absent or is an empty string.
    ///
    /// The closure `read` converts the value. It returns `.some(nil)` for an empty string, and `nil` for a value of an
    /// unsupported type.
    ///
    /// - Throws: `ValidationError` with the name of the entry if the value is invalid or of an unsupported type.
    private static func content<Content>(
        of entries: Record, _ key: String, _ subject: ValidationError.Subject,
        _ read: (Value) throws -> Content??
    ) throws -> Content? {
        guard let value = entries[key] else { return nil }
        do {
            guard let content = try read(value) else {
                let kinds = subject == .birthday ? "a string or a date" : "a string"
                throw ValidationError(subject, given: value.text, rule: "expected \(kinds), not \(value.kind)")
            }
            return content
        } catch let error as ValidationError {
            throw error.at(key)
        }
    }

    private static func localDay(
        of date: Timestamp, _ utcOffset: (Instant) -> Int
    ) throws(ValidationError) -> Birthday {
        let instant = Instant(seconds: date.seconds, nanoseconds: date.nanoseconds)
        guard let day = instant.date(utcOffset: utcOffset(instant)) else {
            throw ValidationError(.birthday, given: "\(instant)", rule: "the year must be 0001 to 9999")
        }
        return Birthday(day)
    }
}

extension Birthday {
    /// Rejects a birthday more than 150 years ago. A `DateFormatter` with the calendar of the user may have written its
    /// year, e.g. the second year of a Japanese era.
    fileprivate func checkIsGregorian(at now: Instant) throws(ValidationError) {
        guard let today = now.date(), let age = age(on: today), age > 150 else { return }
        throw ValidationError(
            .birthday, given: text,
            rule: "it is more than 150 years ago, so its year may belong to a Japanese era or another calendar; "
                + "save the date with its Gregorian year")
    }
}

extension ValidationError {
    /// Returns a copy of the error whose path is the name of an entry.
    fileprivate func at(_ key: String) -> ValidationError {
        ValidationError(subject, given: given, rule: rule, offset: offset, path: key)
    }
}

extension Value {
    /// A short description of the value for error messages.
    fileprivate var text: String {
        switch self {
        case .string(let text): text
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .bool(let flag): "\(flag)"
        case .date(let date): "\(Instant(seconds: date.seconds, nanoseconds: date.nanoseconds))"
        case .data(let bytes): "\(bytes.count) bytes"
        case .array(let values): "\(values.count) values"
        case .record(let record): "\(record.count) entries"
        case .sealed: "a sealed value"
        }
    }
}
