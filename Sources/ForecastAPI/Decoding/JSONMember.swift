import UserProfileDomain

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value in a JSON document, with its path. A value that cannot be read is a `ValidationError` with this path.
///
/// A lenient reader accepts the deviations of weather services from a regular JSON schema: numbers and strings are
/// interchangeable, and `null`, `{}` and `[]` stand for a value that the service does not have.
struct JSONMember {
    private struct Name: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// The path of the value, e.g. `forecasts[1].date`. It is empty for the document.
    let path: String
    /// The text that errors quote.
    private(set) var given: String
    /// Whether the reader is lenient. The members of this value inherit it.
    var isLenient: Bool
    /// The decoder of the value, or `nil` if the member is missing.
    private let decoder: (any Decoder)?

    private init(_ path: String, given: String, isLenient: Bool, _ decoder: (any Decoder)?) {
        self.path = path
        self.given = given
        self.isLenient = isLenient
        self.decoder = decoder
    }

    /// Parses a document. Throws `ValidationError` if it is not JSON.
    init(parsing document: [UInt8], isLenient: Bool = true) throws(ValidationError) {
        let text = String(decoding: document.prefix(120), as: UTF8.self)
        let excerpt = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard String(validating: document, as: UTF8.self) != nil else {
            throw ValidationError(.weatherDocument, given: excerpt, rule: "not UTF-8")
        }
        do {
            let root = try JSONDecoder().decode(JSONMember.self, from: Data(document))
            self.init("", given: excerpt, isLenient: isLenient, root.decoder)
        } catch {
            throw ValidationError(.weatherDocument, given: excerpt, rule: "not JSON" + Self.words(of: error))
        }
    }

    private static func words(of error: any Error) -> String {
        guard case .dataCorrupted(let context)? = error as? DecodingError else { return "" }
        // The decoder created the error for this call, so no other thread uses it.
        let words = unsafe (context.underlyingError as? CocoaError)?.userInfo["NSDebugDescription"] as? String
        return words.map { " (\($0))" } ?? ""
    }

    /// Whether an object has the member.
    var exists: Bool { decoder != nil }

    /// The value, or `nil` if it is missing or `null`. A lenient reader also returns `nil` for `{}` and `[]`.
    var optional: JSONMember? {
        guard let decoder, !isNull else { return nil }
        guard isLenient else { return self }
        if let list = try? decoder.unkeyedContainer() { return list.isAtEnd ? nil : self }
        if let object = try? decoder.container(keyedBy: Name.self) { return object.allKeys.isEmpty ? nil : self }
        return self
    }

    private var isNull: Bool { (try? decoder?.singleValueContainer().decodeNil()) ?? false }

    // MARK: Reading

    /// The member of an object with a name. It need not exist.
    subscript(_ name: String) -> JSONMember {
        get throws(ValidationError) {
            try read("expected an object") { decoder in
                let (object, key) = (try decoder.container(keyedBy: Name.self), Name(stringValue: name))
                return JSONMember(
                    path.isEmpty ? name : "\(path).\(name)", given: given, isLenient: isLenient,
                    object.contains(key) ? try object.superDecoder(forKey: key) : nil)
            }
        }
    }

    /// Returns the elements of an array. The errors of an element quote its date, not the whole document.
    func elements() throws(ValidationError) -> [JSONMember] {
        try read("expected an array") { decoder in
            var list = try decoder.unkeyedContainer()
            var elements: [JSONMember] = []
            while !list.isAtEnd {
                let path = "\(path)[\(list.currentIndex)]"
                var element = JSONMember(path, given: "the day", isLenient: isLenient, try list.superDecoder())
                if let date = try? element["date"].text() { element.given = date }
                elements.append(element)
            }
            return elements
        }
    }

    /// Returns a string. A lenient reader also returns the digits of a number.
    func text() throws(ValidationError) -> String {
        try read(isLenient ? "expected a string or a number" : "expected a string") { decoder in
            let value = try decoder.singleValueContainer()
            do {
                return try value.decode(String.self)
            } catch {
                guard isLenient else { throw error }
                return try digits(in: value)
            }
        }
    }

    /// Returns the digits of a number. A lenient reader also returns a string.
    func digits() throws(ValidationError) -> String {
        if isLenient { return try text() }
        return try read("expected a number") { decoder in try digits(in: decoder.singleValueContainer()) }
    }

    // `Decimal` preserves the digits as written.
    private func digits(in value: any SingleValueDecodingContainer) throws -> String {
        try value.decode(Decimal.self).description
    }

    /// Returns the value that `make` creates from the text.
    func value<Value>(_ make: (String) throws(ValidationError) -> Value) throws(ValidationError) -> Value {
        try located(text(), make)
    }

    private func located<Value>(
        _ text: String, _ make: (String) throws(ValidationError) -> Value
    ) throws(ValidationError) -> Value {
        do {
            return try make(text)
        } catch {
            throw ValidationError(
                .weatherDocument, given: error.given, rule: error.rule, offset: error.offset, path: path)
        }
    }

    /// Returns a temperature, or `nil` if the member is missing or empty.
    func temperature() throws(ValidationError) -> Temperature? {
        guard let celsius = try optional?.digits(), !celsius.isEmpty else { return nil }
        return try located(celsius) { text throws(ValidationError) in try Temperature(celsius: text) }
    }

    /// Returns an error about the value.
    func error(_ rule: String) -> ValidationError {
        ValidationError(.weatherDocument, given: given, rule: rule, path: path.isEmpty ? nil : path)
    }

    private func read<Value>(
        _ expectation: String, _ body: (any Decoder) throws -> Value
    ) throws(ValidationError) -> Value {
        guard let decoder else { throw error("the member is missing") }
        do {
            return try body(decoder)
        } catch {
            throw self.error(isNull && !path.isEmpty ? "the member is null" : expectation)
        }
    }
}

extension JSONMember: Decodable {
    init(from decoder: any Decoder) { self.init("", given: "", isLenient: true, decoder) }
}

extension DecodedWeather {
    /// The maximum number of days that are left out. It limits time and memory for a document of another kind.
    private static let maximumWarningCount = 100

    /// Reads the days of a document. A day that cannot be read, or has the date of an earlier day, becomes a warning.
    ///
    /// - Parameters:
    ///   - days: The array with the days.
    ///   - datePath: The path of the date within a day.
    ///   - read: A closure that reads a day. Its arguments are the day and its index.
    ///   - make: A closure that creates the weather from the days.
    /// - Throws: `ValidationError` if no day or too few days can be read.
    init(
        days: JSONMember, datePath: String = "", _ read: (JSONMember, Int) throws(ValidationError) -> Forecast,
        _ make: ([Forecast]) throws(ValidationError) -> Weather
    ) throws(ValidationError) {
        var forecasts: [Forecast] = []
        var warnings: [ValidationError] = []
        var dates: Set<CalendarDate> = []
        for (index, day) in try days.elements().enumerated() {
            do throws(ValidationError) {
                let forecast = try read(day, index)
                guard dates.insert(forecast.date).inserted else {
                    throw ValidationError(
                        .weatherDocument, given: forecast.date.text, rule: "an earlier day has the same date",
                        path: day.path + datePath)
                }
                forecasts.append(forecast)
            } catch {
                guard warnings.count < Self.maximumWarningCount else { throw error }
                warnings.append(error)
            }
        }
        let weather = try make(forecasts)
        guard !forecasts.isEmpty else {
            throw warnings.first
                ?? ValidationError(.weatherDocument, given: "[]", rule: "the document has no days", path: days.path)
        }
        self.init(weather: weather, warnings: warnings)
    }
}
