import DataStoreCore
import DataStorePlist
import UserProfileData
public import UserProfileDomain

/// The profile that an app stores in its `UserDefaults`, as the entries `mailAddress` and `birthDay`. Use it to import
/// the profile into a store.
///
/// ```swift
/// let profile = try DefaultsProfile(ofSuite: "com.example.app", now: .now)
/// try await storage.users.merge(profile.user(.me), now: .now)
/// ```
///
/// - `mailAddress` is a string; an empty string means that the user has no mail address.
/// - `birthDay` is a string `yyyy-MM-dd`, or a date; an empty string means that the user has no birthday. A date stands
///   for its day in a time zone, because apps store midnight in the user's time zone.
///
/// Both values are validated as on saving. The file is never written.
public struct DefaultsProfile: Hashable, Sendable {
    private static let mailAddressKey = "mailAddress"
    private static let birthdayKey = "birthDay"

    /// The mail address, if the file has one.
    public let mailAddress: MailAddress?

    /// The birthday, if the file has one.
    public let birthday: Birthday?

    /// Whether the file has an entry for one of them, even if the entry means that there is no value.
    public let isThere: Bool

    /// Reads the profile from a property-list file.
    ///
    /// - Parameters:
    ///   - path: the path of the file, an XML or a binary property list.
    ///   - utcOffset: Returns the number of seconds by which local time is ahead of UTC at an instant. A date is the
    ///     day of this local time.
    ///   - now: the current time, which determines whether the birthday is in the future.
    /// - Throws: ``SourceError`` if the file cannot be read; `ValidationError` with the name of the entry if a value is
    ///   of another kind or invalid.
    public init(ofFileAt path: String, utcOffset: (Instant) -> Int = { $0.localUTCOffset }, now: Instant) throws {
        let entries: Record
        do {
            entries = try PlistEntries.read([Self.mailAddressKey, Self.birthdayKey], ofFileAt: path)
        } catch {
            throw SourceError(path: path, underlying: error)
        }
        isThere = !entries.isEmpty
        mailAddress = try Self.content(of: entries, Self.mailAddressKey, .mailAddress) { value in
            guard let text = value.string else { return nil }
            return .some(text.isEmpty ? nil : try MailAddress(text))
        }
        birthday = try Self.content(of: entries, Self.birthdayKey, .birthday) { value in
            if let date = value.date { return .some(try Self.birthday(of: date, utcOffset)) }
            guard let text = value.string else { return nil }
            return .some(text.isEmpty ? nil : try Birthday(text))
        }
        do {
            try birthday?.checkHasBegun(at: now)
        } catch {
            throw error.at(Self.birthdayKey)
        }
    }

    /// Reads the profile from the file in which the platform stores a suite of `UserDefaults`.
    ///
    /// - Parameters:
    ///   - name: the name of the suite, e.g. `com.example.app`.
    ///   - utcOffset: Returns the number of seconds by which local time is ahead of UTC at an instant. A date is the
    ///     day of this local time.
    ///   - now: the current time, which determines whether the birthday is in the future.
    /// - Throws: the errors of ``init(ofFileAt:utcOffset:now:)``, and `ValidationError` if the name of the suite is
    ///   invalid.
    public init(ofSuite name: String, utcOffset: (Instant) -> Int = { $0.localUTCOffset }, now: Instant) throws {
        try self.init(ofFileAt: StorageLocation.suite(name).address, utcOffset: utcOffset, now: now)
    }

    /// Returns the profile as a user with an id.
    public func user(_ id: UserID) -> User { User(id: id, mailAddress: mailAddress, birthday: birthday) }

    // MARK: Values

    /// Returns the content of an entry. `read` returns `.some(nil)` for a value that means no content, and `nil` for a
    /// value of another kind.
    private static func content<Content>(
        of entries: Record, _ key: String, _ subject: ValidationError.Subject,
        _ read: (Value) throws -> Content??
    ) throws -> Content? {
        guard let value = entries[key] else { return nil }
        do {
            guard let content = try read(value) else {
                let kinds = subject == .birthday ? "a string or a date" : "a string"
                throw ValidationError(
                    subject, given: value.words, rule: "it is of the kind \(value.kind), not \(kinds)")
            }
            return content
        } catch let error as ValidationError {
            throw error.at(key)
        }
    }

    private static func birthday(
        of date: Timestamp, _ utcOffset: (Instant) -> Int
    ) throws(ValidationError) -> Birthday {
        let instant = Instant(seconds: date.seconds, nanoseconds: date.nanoseconds)
        guard let day = instant.date(utcOffset: utcOffset(instant)) else {
            throw ValidationError(.birthday, given: "\(instant)", rule: "a year is 0001 to 9999")
        }
        return Birthday(day)
    }
}

extension ValidationError {
    /// Returns the error with the name of an entry as its path.
    fileprivate func at(_ key: String) -> ValidationError {
        ValidationError(subject, given: given, rule: rule, offset: offset, path: key)
    }
}

extension Value {
    /// A short description of the value for messages.
    fileprivate var words: String {
        switch self {
        case .string(let text): text
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .bool(let flag): "\(flag)"
        case .date(let date): "\(Instant(seconds: date.seconds, nanoseconds: date.nanoseconds))"
        case .data(let bytes): "\(bytes.count) bytes"
        case .array(let values): "\(values.count) values"
        case .record(let record): "\(record.count) entries"
        }
    }
}
