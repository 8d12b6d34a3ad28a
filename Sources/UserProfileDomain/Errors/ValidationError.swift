/// The reason why a value is invalid: the input, the violated rule, and the position.
///
/// The initializers of all values throw it. Show `description` to the user, or build a message from the properties.
///
/// ```swift
/// do {
///     let address = try MailAddress("vision@@example.com")
/// } catch {
///     print(error)
///     // "vision@@example.com" is not a mail address: the character "@" is not allowed in a domain (at byte 7)
/// }
/// ```
public struct ValidationError: Error, Hashable, Sendable {
    /// The kind of value that was expected.
    public struct Subject: Hashable, Sendable {
        /// The name with its article, as it appears in a sentence.
        package let name: String

        /// Creates a subject, e.g. `a mail address`.
        ///
        /// - Parameter name: The name with its article.
        public init(_ name: String) { self.name = name }

        /// A ``MailAddress``.
        package static let mailAddress = Subject("a mail address")
        /// A ``CalendarDate``.
        package static let calendarDate = Subject("a date")
        /// A ``Birthday``.
        package static let birthday = Subject("a birthday")
        /// A ``MonthDay``.
        package static let monthDay = Subject("a month and day")
        /// A ``UserID``.
        package static let userID = Subject("a user id")
        /// A ``CityCode``.
        package static let cityCode = Subject("a city code")
        /// A city, given by its code or name.
        package static let city = Subject("a city")
        /// ``Coordinates``.
        package static let coordinates = Subject("a place")
        /// An age, as text.
        package static let age = Subject("an age")
        /// A ``Temperature``.
        package static let temperature = Subject("a temperature")
        /// An ``Instant``.
        package static let instant = Subject("a point in time")
        /// A document that a ``WeatherDecoder`` reads.
        package static let weatherDocument = Subject("a weather document")
        /// The address of a weather service, as text.
        package static let webAddress = Subject("a web address")
        /// The location of a store, as text.
        public static let storageLocation = Subject("a store")
    }

    /// The kind of value that was expected.
    public let subject: Subject

    /// The input, truncated to 80 Unicode scalars.
    public let given: String

    /// The rule that the value violates, as the end of the error message, e.g. `a year is 0001 to 9999`.
    public let rule: String

    /// The position in the input, in bytes of UTF-8, or `nil` if the error concerns the whole input.
    public let offset: Int?

    /// The path of a member in a document, e.g. `forecasts[1].temperature.max.celsius`, or `nil` if the error concerns
    /// the whole document.
    public let path: String?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - subject: The kind of value that was expected.
    ///   - given: The input.
    ///   - rule: The violated rule, as the end of a sentence.
    ///   - offset: The position in the input, in bytes of UTF-8.
    ///   - path: The path of a member in a document.
    public init(_ subject: Subject, given: String, rule: String, offset: Int? = nil, path: String? = nil) {
        self.subject = subject
        self.given = given.excerpt(80)
        self.rule = rule
        self.offset = offset
        self.path = path
    }
}

extension ValidationError: CustomStringConvertible {
    /// One sentence with the input, the violated rule and the position.
    public var description: String {
        var text = "\(given.quoted) is not \(subject.name): "
        if let path { text += "\(path): " }
        text += rule
        if let offset { text += " (at byte \(offset))" }
        return text
    }
}
