import DataStoreCore
import DataStorePlist
import UserProfileData
public import UserProfileDomain

/// The profile that an app has in its `UserDefaults`: the entries `mailAddress` and `birthDay` of their file.
///
/// ```swift
/// let profile = try DefaultsProfile(ofSuite: "com.example.app", now: .now)
/// try await storage.users.merge(profile.user(.me), now: .now)
/// ```
///
/// - `mailAddress` is a string; the empty one means that the user has none.
/// - `birthDay` is a string `yyyy-MM-dd`, where the empty one means none, or a date, which is the day that it is in a
///   time zone: apps keep midnight where the user is.
///
/// Both are checked as whatever is saved is. The file is only read.
public struct DefaultsProfile: Hashable, Sendable {
    private static let mailAddressKey = "mailAddress"
    private static let birthdayKey = "birthDay"

    /// The mail address, or none.
    public let mailAddress: MailAddress?

    /// The birthday, or none.
    public let birthday: Birthday?

    /// Whether the file has an entry for one of them, be it one that means none.
    public let isThere: Bool

    /// Reads the profile of a property-list file.
    ///
    /// - Parameters:
    ///   - path: the file, an XML or a binary property list.
    ///   - utcOffset: Returns the number of seconds by which local time is ahead of UTC at an instant. A date is the
    ///     day of this local time.
    ///   - now: the present, which decides whether the birthday is still to come.
    /// - Throws: ``SourceError`` where the file cannot be used; `ValidationError` that names the entry where a value is
    ///   of another kind or breaks a rule.
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

    /// Reads the profile of a suite of `UserDefaults`, in the file where the platform keeps it.
    ///
    /// - Parameters:
    ///   - name: the suite, e.g. `com.example.app`.
    ///   - utcOffset: Returns the number of seconds by which local time is ahead of UTC at an instant. A date is the
    ///     day of this local time.
    ///   - now: the present, which decides whether the birthday is still to come.
    /// - Throws: as for a file; `ValidationError` also where the name is none of a suite.
    public init(ofSuite name: String, utcOffset: (Instant) -> Int = { $0.localUTCOffset }, now: Instant) throws {
        try self.init(ofFileAt: StorageLocation.suite(name).address, utcOffset: utcOffset, now: now)
    }

    /// The profile as one of a user.
    public func user(_ id: UserID) -> User { User(id: id, mailAddress: mailAddress, birthday: birthday) }

    // MARK: Values

    /// What an entry comes to. `read` makes something of its value, none where it says so; nil where it is of another
    /// kind.
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
    /// The same error with the entry that it is about.
    fileprivate func at(_ key: String) -> ValidationError {
        ValidationError(subject, given: given, rule: rule, offset: offset, path: key)
    }
}

extension Value {
    /// The value in few words, for a message.
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
