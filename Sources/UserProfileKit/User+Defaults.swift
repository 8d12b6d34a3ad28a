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
        let mailAddress = try content(of: entries, mailAddressKey, .mailAddress, "a string") {
            value throws(ValidationError) in
            if let text = value.string { try MailAddress(text) } else { nil }
        }
        let birthday = try content(of: entries, birthdayKey, .birthday, "a string or a date") {
            value throws(ValidationError) in
            if let date = value.date { return try localDay(of: date, utcOffset).checked(at: now) }
            return if let text = value.string { try Birthday(text).checked(at: now) } else { nil }
        }
        return User(id: id, mailAddress: mailAddress, birthday: birthday)
    }

    /// Returns the converted value of an entry, or `nil` if the entry is absent or is an empty string.
    ///
    /// - Parameters:
    ///   - entries: The entries of the file.
    ///   - key: The name of the entry.
    ///   - subject: The subject of an error.
    ///   - kinds: The kinds of values that `convert` supports, for an error.
    ///   - convert: A closure that converts the value. It returns `nil` for a value of an unsupported type.
    /// - Returns: The value.
    /// - Throws: `ValidationError` with the name of the entry if the value is invalid or of an unsupported type.
    private static func content<Content>(
        of entries: Record, _ key: String, _ subject: ValidationError.Subject, _ kinds: String,
        _ convert: (Value) throws(ValidationError) -> Content?
    ) throws(ValidationError) -> Content? {
        guard let value = entries[key], value != .string("") else { return nil }
        do throws(ValidationError) {
            if let content = try convert(value) { return content }
            throw ValidationError(subject, given: RecordJSON.text(value), rule: "expected \(kinds), not \(value.kind)")
        } catch {
            throw ValidationError(error.subject, given: error.given, rule: error.rule, offset: error.offset, path: key)
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
    /// Returns the birthday. Rejects one in the future, and one more than 150 years ago: a `DateFormatter` with the
    /// calendar of the user may have written its year, e.g. the second year of a Japanese era.
    fileprivate func checked(at now: Instant) throws(ValidationError) -> Birthday {
        try checkHasBegun(at: now)
        guard let today = now.date(), let age = age(on: today), age > 150 else { return self }
        throw ValidationError(
            .birthday, given: text,
            rule: "it is more than 150 years ago, so its year may belong to a Japanese era or another calendar; "
                + "save the date with its Gregorian year")
    }
}
