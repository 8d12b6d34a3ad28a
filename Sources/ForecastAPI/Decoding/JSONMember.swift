import ProfileFormats

/// A value in a JSON document, with its path. A value that cannot be read is a `ValidationError` with this path.
///
/// A lenient reader accepts the deviations of weather services from a regular JSON schema: numbers and strings are
/// interchangeable, and `null`, `{}` and `[]` stand for a value that the service does not have.
struct JSONMember {
    /// The path of the value, e.g. `forecasts[1].date`. It is empty for the document.
    let path: String
    /// The text that errors quote.
    private(set) var given: String
    /// Whether the reader is lenient. The members of this value inherit it.
    var isLenient: Bool
    /// The value, or `nil` if the member is missing.
    private let json: JSONValue?

    /// Whether an object has the member.
    var exists: Bool { json != nil }

    /// The value, or `nil` if it is missing or `null`. A lenient reader also returns `nil` for `{}` and `[]`.
    var optional: JSONMember? {
        switch json {
        case nil, .null: nil
        case .array(let values) where isLenient && values.isEmpty: nil
        case .object(let members) where isLenient && members.isEmpty: nil
        default: self
        }
    }

    /// The member of an object with a name. It need not exist.
    subscript(_ name: String) -> JSONMember {
        get throws(ValidationError) {
            guard case .object(let members) = json else { throw mismatch("expected an object") }
            return JSONMember(
                path: path.isEmpty ? name : "\(path).\(name)", given: given, isLenient: isLenient,
                json: members.first { $0.name == name }?.value)
        }
    }

    /// Returns the value at a path of member names, or `nil` if one of the members is missing or empty as in
    /// ``optional``.
    func optional(_ names: [String]) throws(ValidationError) -> JSONMember? {
        var member: JSONMember? = self
        for name in names { member = try member?[name].optional }
        return member
    }

    /// Returns the elements of an array. The errors of an element quote its date, not the whole document.
    func elements() throws(ValidationError) -> [JSONMember] {
        guard case .array(let values) = json else { throw mismatch("expected an array") }
        return values.enumerated().map { index, value in
            var element = JSONMember(path: "\(path)[\(index)]", given: "the day", isLenient: isLenient, json: value)
            if let date = try? element["date"].text() { element.given = date }
            return element
        }
    }

    /// Returns a string. A lenient reader also returns the digits of a number.
    func text() throws(ValidationError) -> String {
        switch json {
        case .string(let text): return text
        case .number(let digits) where isLenient: return digits
        default: throw mismatch(isLenient ? "expected a string or a number" : "expected a string")
        }
    }

    /// Returns the value that `make` creates from the text.
    func value<Value>(_ make: (String) throws(ValidationError) -> Value) throws(ValidationError) -> Value {
        let text = try text()
        return try locating { () throws(ValidationError) in try make(text) }
    }

    /// Returns an integer.
    func integer() throws(ValidationError) -> Int {
        guard case .number(let digits) = json, let number = Double(digits).flatMap(Int.init(exactly:)) else {
            throw mismatch("expected an integer")
        }
        return number
    }

    /// Returns a temperature, or `nil` if the member is missing or empty.
    func temperature() throws(ValidationError) -> Temperature? {
        guard let member = optional else { return nil }
        switch member.json {
        case .string("") where isLenient: return nil
        case .string where isLenient: return try value(Temperature.init(celsius:))
        case .number(let digits):
            return try locating { () throws(ValidationError) in try Temperature(celsius: Double(digits) ?? .nan) }
        default: throw mismatch("expected a number")
        }
    }

    /// Returns an error about the value.
    func error(_ rule: String) -> ValidationError {
        ValidationError(.weatherDocument, given: given, rule: rule, path: path.isEmpty ? nil : path)
    }

    /// Returns the error of a value that is missing or has another type.
    private func mismatch(_ expectation: String) -> ValidationError {
        switch json {
        case nil: error("the member is missing")
        case .null where !path.isEmpty: error("the member is null")
        default: error(expectation)
        }
    }

    /// Adds the path to the error of a closure.
    private func locating<Value>(_ make: () throws(ValidationError) -> Value) throws(ValidationError) -> Value {
        do {
            return try make()
        } catch {
            throw ValidationError(
                .weatherDocument, given: error.given, rule: error.rule, offset: error.offset, path: path)
        }
    }
}

extension JSONMember {
    /// Parses a document. Throws `ValidationError` if it is not JSON.
    init(parsing document: [UInt8], isLenient: Bool = true) throws(ValidationError) {
        let json = try JSONValue(parsing: document, as: .weatherDocument, isTolerant: true)
        self.init(path: "", given: document.jsonExcerpt, isLenient: isLenient, json: json)
    }
}

/// The days of a document that can be read, and the reason for each of the others.
typealias ReadableDays = (forecasts: [Forecast], warnings: [ValidationError])

extension JSONMember {
    /// The maximum number of days that are left out. It limits time and memory for a document of another kind.
    private static let maximumWarningCount = 100

    /// Reads an array of days. A day that cannot be read, or has the date of an earlier day, becomes a warning.
    ///
    /// - Parameters:
    ///   - datePath: The path of the date within a day.
    ///   - read: A closure that reads a day. Its arguments are the day and its index.
    /// - Returns: The days and the warnings.
    /// - Throws: `ValidationError` if no day or too few days can be read.
    func days(
        datePath: String = "", _ read: (JSONMember, Int) throws(ValidationError) -> Forecast
    ) throws(ValidationError) -> ReadableDays {
        var days: ReadableDays = ([], [])
        var dates: Set<CalendarDate> = []
        for (index, day) in try elements().enumerated() {
            do throws(ValidationError) {
                let forecast = try read(day, index)
                guard dates.insert(forecast.date).inserted else {
                    throw ValidationError(
                        .weatherDocument, given: forecast.date.text, rule: "an earlier day has the same date",
                        path: day.path + datePath)
                }
                days.forecasts.append(forecast)
            } catch {
                guard days.warnings.count < Self.maximumWarningCount else { throw error }
                days.warnings.append(error)
            }
        }
        guard days.forecasts.isEmpty else { return days }
        throw days.warnings.first
            ?? ValidationError(.weatherDocument, given: "[]", rule: "the document has no days", path: path)
    }
}
