/// Why a value was refused: what was given, which rule it breaks, and where.
///
/// ```swift
/// do {
///     let address = try MailAddress("vision@@example.com")
/// } catch {
///     print(error) // "vision@@example.com" is not a mail address: the character "@" is not allowed in a domain (at
///     byte 7)
/// }
/// ```
public struct ValidationError: Error, Hashable, Sendable {
    /// What the value should have been.
    public struct Subject: Hashable, Sendable {
        /// The name with its article, as it stands in a sentence.
        public let name: String

        /// Names what a value should have been, e.g. `a mail address`.
        ///
        /// - Parameter name: the name with its article.
        public init(_ name: String) { self.name = name }

        /// A ``MailAddress``.
        package static let mailAddress = Subject("a mail address")
        /// A ``CalendarDate``.
        package static let calendarDate = Subject("a date")
        /// A ``Birthday``.
        package static let birthday = Subject("a birthday")
        /// A ``MonthAndDay``.
        package static let dayOfYear = Subject("a day of the year")
        /// A ``UserID``.
        package static let userID = Subject("a user id")
        /// A ``CityCode``.
        package static let cityCode = Subject("a city code")
        /// A city, by its code or name.
        package static let city = Subject("a city")
        /// ``Coordinates``.
        package static let coordinates = Subject("a place")
        /// How old something is, as text.
        package static let age = Subject("an age")
        /// A ``Temperature``.
        package static let temperature = Subject("a temperature")
        /// An ``Instant``.
        package static let instant = Subject("a point in time")
        /// A document that a ``WeatherDecoder`` reads.
        package static let weatherDocument = Subject("a weather document")
        /// Where a weather service is, as text.
        package static let webAddress = Subject("a web address")
        /// A place where profiles are kept, as text.
        public static let storageLocation = Subject("a store")
    }

    /// What the value should have been.
    public let subject: Subject

    /// What was given; a long text is cut.
    public let given: String

    /// The rule that it breaks, as the end of a sentence.
    public let rule: String

    /// Where in the given text, in bytes of UTF-8 from its start; nil where it is about the whole.
    public let offset: Int?

    /// Which member of a document, e.g. `forecasts[1].temperature.max.celsius`; nil where it is about the whole.
    public let path: String?

    /// Describes why a value was refused.
    ///
    /// - Parameters:
    ///   - subject: what the value should have been.
    ///   - given: what was given.
    ///   - rule: the rule that it breaks, as the end of a sentence.
    ///   - offset: where in the given text, in bytes of UTF-8 from its start.
    ///   - path: which member of a document.
    public init(_ subject: Subject, given: String, rule: String, offset: Int? = nil, path: String? = nil) {
        self.subject = subject
        self.given = given.excerpt(80)
        self.rule = rule
        self.offset = offset
        self.path = path
    }
}

extension ValidationError: CustomStringConvertible {
    /// One sentence that says what was given, which rule it breaks, and where.
    public var description: String {
        var text = "\(given.quoted) is not \(subject.name): "
        if let path { text += "\(path): " }
        text += rule
        if let offset { text += " (at byte \(offset))" }
        return text
    }
}
