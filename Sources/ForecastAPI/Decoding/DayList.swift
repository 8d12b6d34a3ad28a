import UserProfileDomain

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The days of a document that can be read, and a warning for each of the others.
struct DayList {
    /// The maximum number of days that are left out. It limits time and memory for a document of another kind.
    private static let maximumWarningCount = 100

    private var days: [Forecast] = []
    private var warnings: [ValidationError] = []
    private var dates: Set<CalendarDate> = []

    /// Adds the next day of the document, or a warning if the day cannot be read or if an earlier day has the same
    /// date.
    ///
    /// - Parameters:
    ///   - datePath: The path of the date in the document.
    ///   - read: A closure that reads the day.
    /// - Throws: The error of the day if too many days are left out.
    mutating func add(
        datePath: String, _ read: () throws(ValidationError) -> Forecast
    ) throws(ValidationError) {
        do throws(ValidationError) {
            let day = try read()
            guard dates.insert(day.date).inserted else {
                throw ValidationError(
                    .weatherDocument, given: day.date.text, rule: "an earlier day has the same date", path: datePath)
            }
            days.append(day)
        } catch {
            guard warnings.count < DayList.maximumWarningCount else { throw error }
            warnings.append(error)
        }
    }

    /// Returns the weather that `make` creates from the days, and the warnings. Throws `ValidationError` if no day can
    /// be read. `path` is the path of the days in the document.
    func decodedWeather(
        path: String, _ make: ([Forecast]) throws(ValidationError) -> Weather
    ) throws(ValidationError) -> DecodedWeather {
        let weather = try make(days)
        guard !days.isEmpty else {
            throw warnings.first
                ?? ValidationError(.weatherDocument, given: "[]", rule: "the document has no days", path: path)
        }
        return DecodedWeather(weather: weather, warnings: warnings)
    }
}

/// A day in the JSON format of a service.
protocol DayDTO: Decodable {
    /// Returns the forecast of a day with the given path in the document. Throws `ValidationError` with the path of the
    /// invalid member.
    func forecast(at path: String) throws(ValidationError) -> Forecast
}

/// The member `forecasts`. A day that cannot be decoded is left out with a warning.
struct DaysDTO<Day: DayDTO>: Decodable {
    private enum DateKey: String, CodingKey { case date }

    private(set) var list = DayList()

    init(from decoder: any Decoder) throws {
        var elements = try decoder.unkeyedContainer()
        while !elements.isAtEnd {
            let path = "forecasts[\(elements.currentIndex)]"
            let element = try elements.superDecoder()
            try list.add(datePath: "\(path).date") { () throws(ValidationError) in
                let day: Day
                do {
                    day = try Day(from: element)
                } catch {
                    // If the date can be read, it also identifies the day.
                    let date = try? element.container(keyedBy: DateKey.self).text(.date)
                    throw LivedoorDecoder.validationError(of: error, given: date ?? "the day", in: path)
                }
                return try day.forecast(at: path)
            }
        }
    }
}

// These functions accept the deviations of weather services from a regular JSON schema.
extension KeyedDecodingContainer {
    /// Decodes a string, or a number as a string. Returns `nil` if the member is missing, null, `[]` or `{}`.
    func text(_ key: Key) throws -> String? {
        if try isNone(key) { return nil }
        if let text = try? decode(String.self, forKey: key) { return text }
        // `Decimal` preserves the digits as written.
        if let number = try? decode(Decimal.self, forKey: key) { return number.description }
        throw mismatch(key, String.self, "expected a string or a number")
    }

    /// Decodes a string, or a number as a string. Throws `DecodingError` if the member is missing, null, `[]` or `{}`.
    func requiredText(_ key: Key) throws -> String {
        if let text = try text(key) { return text }
        // The error of this call distinguishes a missing member from null.
        guard try contains(key) && !decodeNil(forKey: key) else { return try decode(String.self, forKey: key) }
        throw mismatch(key, String.self, "expected a string or a number")
    }

    /// Decodes an object. Returns `nil` if the member is missing, null, `{}` or `[]`, which some languages write for an
    /// empty object.
    func object<Object: Decodable>(_ key: Key, _ type: Object.Type) throws -> Object? {
        if try isNone(key) { return nil }
        guard (try? nestedContainer(keyedBy: AnyKey.self, forKey: key)) != nil else {
            throw mismatch(key, type, "expected an object")
        }
        return try decode(type, forKey: key)
    }

    /// Returns whether a member is missing, null, `[]` or `{}`.
    func isNone(_ key: Key) throws -> Bool {
        if try !contains(key) || decodeNil(forKey: key) { return true }
        // A value that is neither a list nor an object is not an error here.
        if let list = try? nestedUnkeyedContainer(forKey: key) { return list.isAtEnd }
        if let object = try? nestedContainer(keyedBy: AnyKey.self, forKey: key) { return object.allKeys.isEmpty }
        return false
    }

    private func mismatch(_ key: Key, _ type: Any.Type, _ text: String) -> DecodingError {
        DecodingError.typeMismatch(
            type, DecodingError.Context(codingPath: codingPath + [key], debugDescription: text))
    }
}

/// A coding key for any member of an object.
private struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
