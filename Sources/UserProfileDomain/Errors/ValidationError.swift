/// The reason why a value is invalid: the input, the violated rule, and the position of the violation.
///
/// The initializers of values such as ``MailAddress`` and ``Birthday`` throw this error. Show ``description`` to the
/// user, or build a message from the other properties.
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
    /// The kind of value that an initializer expected, e.g. `a mail address`.
    ///
    /// ```swift
    /// extension ValidationError.Subject {
    ///     static let postalCode = ValidationError.Subject("a postal code")
    /// }
    /// ```
    public struct Subject: Hashable, Sendable {
        /// The name of this kind of value with its article, as it appears in an error message.
        package let name: String

        /// Creates a subject for the errors of an initializer of your own.
        ///
        /// - Parameter name: The name of the kind of value with its article, e.g. `a postal code`.
        public init(_ name: String) { self.name = name }

        /// The subject of errors about a ``MailAddress``.
        package static let mailAddress = Subject("a mail address")
        /// The subject of errors about a ``CalendarDate``.
        package static let calendarDate = Subject("a date")
        /// The subject of errors about a ``Birthday``.
        package static let birthday = Subject("a birthday")
        /// The subject of errors about a ``MonthDay``.
        package static let monthDay = Subject("a month and day")
        /// The subject of errors about a ``UserID``.
        package static let userID = Subject("a user id")
        /// The subject of errors about a ``CityCode``.
        package static let cityCode = Subject("a city code")
        /// The subject of errors about a ``City`` that is given by its code or name.
        package static let city = Subject("a city")
        /// The subject of errors about ``Coordinates``.
        package static let coordinates = Subject("a place")
        /// The subject of errors about the text of an age, e.g. `30m`.
        package static let age = Subject("an age")
        /// The subject of errors about a ``Temperature``.
        package static let temperature = Subject("a temperature")
        /// The subject of errors about an ``Instant``.
        package static let instant = Subject("a point in time")
        /// The subject of errors about a document that a ``WeatherDecoder`` decodes.
        package static let weatherDocument = Subject("a weather document")
        /// The subject of errors about the URL of a weather service.
        package static let webAddress = Subject("a web address")
        /// The subject of errors about the location of a store.
        public static let storageLocation = Subject("a store")
    }

    /// The kind of value that the initializer expected.
    public let subject: Subject

    /// The invalid input, truncated to 80 Unicode scalars.
    public let given: String

    /// The violated rule as a clause that ends the error message, e.g. `a year is 0001 to 9999`.
    public let rule: String

    /// The position of the violation in bytes of UTF-8 from the start of the input, or `nil` if the whole input is
    /// invalid.
    public let offset: Int?

    /// The path of the invalid member in a document, e.g. `forecasts[1].temperature.max.celsius`. It is `nil` if the
    /// input is not a document or the whole document is invalid.
    public let path: String?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - subject: The kind of value that was expected.
    ///   - given: The invalid input. The initializer truncates it to 80 Unicode scalars.
    ///   - rule: The violated rule as a clause that ends the error message.
    ///   - offset: The position of the violation in bytes of UTF-8 from the start of the input, or `nil` if the whole
    ///     input is invalid.
    ///   - path: The path of the invalid member in a document, or `nil` if the input is not a document or the whole
    ///     document is invalid.
    public init(_ subject: Subject, given: String, rule: String, offset: Int? = nil, path: String? = nil) {
        self.subject = subject
        self.given = given.excerpt(80)
        self.rule = rule
        self.offset = offset
        self.path = path
    }
}

extension ValidationError: CustomStringConvertible {
    /// One sentence that states the input, the violated rule and the position.
    public var description: String {
        var text = "\(given.quoted) is not \(subject.name): "
        if let path { text += "\(path): " }
        text += rule
        if let offset { text += " (at byte \(offset))" }
        return text
    }
}

/// A position at the start of a line of an input, with a checksum of all bytes before the position.
///
/// An interrupted import of the input resumes at the position only if the bytes before the position still have the same
/// checksum.
package struct InputPosition: Hashable, Codable, Sendable {
    /// The number of bytes before the position.
    package var byteCount: Int64
    /// The number of lines before the position.
    package var lineCount: Int64
    /// The 64-bit FNV-1a checksum of the bytes before the position.
    package var checksum: UInt64

    /// The position before the first line of any input.
    package static let start = InputPosition(byteCount: 0, lineCount: 0, checksum: 0xCBF2_9CE4_8422_2325)

    /// Creates a position.
    ///
    /// - Parameters:
    ///   - byteCount: The number of bytes before the position.
    ///   - lineCount: The number of lines before the position.
    ///   - checksum: The 64-bit FNV-1a checksum of the bytes before the position.
    package init(byteCount: Int64, lineCount: Int64, checksum: UInt64) {
        self.byteCount = byteCount
        self.lineCount = lineCount
        self.checksum = checksum
    }
}

// Error messages contain user input in this form, so that the input cannot control or flood the terminal.
extension String {
    /// The text in double quotes. Control characters, format characters, line separators, quotes and backslashes are
    /// escaped.
    package var quoted: String {
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default:
                if scalar == "\"" || scalar == "\\" { text += "\\" }
                text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }

    /// Returns the text, truncated to `maximumCount` Unicode scalars. The last scalar of a truncated text is an
    /// ellipsis.
    package func excerpt(_ maximumCount: Int) -> String {
        guard unicodeScalars.count > maximumCount else { return self }
        var text = String(String.UnicodeScalarView(unicodeScalars.prefix(maximumCount - 1)))
        text.unicodeScalars.append("…")
        return text
    }
}
