package import UserProfileDomain

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads the JSON of the livedoor weather service (v1) and of its successor weather.tsukumijima.net, which differ in
/// details only.
///
/// It is a tolerant reader: members that it does not know are passed over, and where a service has nothing — `null`, no
/// member, `{}`, `[]` — temperatures, pictures and the description are none. Numbers may stand for text and the other
/// way round. Whatever else is of the wrong kind is an error that names the member's path.
package struct JSONWeatherDecoder: WeatherDecoder {
    /// Makes a decoder.
    package init() {}

    /// Reads a document.
    package func decode(_ document: [UInt8], for city: CityCode) throws(ValidationError) -> Weather {
        switch try answer(in: document, for: city) {
        case .weather(let weather):
            return weather
        case .refusal(let message):
            throw ValidationError(
                .weatherDocument, given: JSONWeatherDecoder.excerpt(document),
                rule: "the service answered \(message.debugDescription)", path: "error")
        }
    }

    /// What a service says in a document.
    enum Answer {
        case weather(Weather)
        /// It does not know the city.
        case refusal(String)
    }

    /// Reads a document, also one that says that there is no weather.
    func answer(in document: [UInt8], for city: CityCode) throws(ValidationError) -> Answer {
        try JSONWeatherDecoder.read(document) { (dto: AnswerDTO) throws(ValidationError) in
            switch dto {
            case .weather(let weather): .weather(try weather.weather(of: city))
            case .refusal(let message): .refusal(message)
            }
        }
    }

    /// Decodes a document and makes something of it; an error names the member.
    static func read<DTO: Decodable, Value>(
        _ document: [UInt8], _ make: (DTO) throws(ValidationError) -> Value
    ) throws(ValidationError) -> Value {
        guard String(validating: document, as: UTF8.self) != nil else {
            throw ValidationError(.weatherDocument, given: excerpt(document), rule: "it is not UTF-8")
        }
        do {
            return try make(try JSONDecoder().decode(DTO.self, from: Data(document)))
        } catch let error as ValidationError {
            throw error
        } catch let error as DecodingError {
            throw validationError(of: error, in: document)
        } catch {
            throw ValidationError(.weatherDocument, given: excerpt(document), rule: "\(error)")
        }
    }

    private static func validationError(of error: DecodingError, in document: [UInt8]) -> ValidationError {
        let (codingPath, rule): ([any CodingKey], String) =
            switch error {
            case .dataCorrupted(let context): (context.codingPath, reason(of: context))
            case .keyNotFound(let key, let context): (context.codingPath + [key], "it is missing")
            case .valueNotFound(_, let context): (context.codingPath, "it is null and must not be")
            case .typeMismatch(let type, let context): (context.codingPath, expectation(of: type, context))
            @unknown default: ([], "\(error)")
            }
        let path = codingPath.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
        return ValidationError(
            .weatherDocument, given: excerpt(document), rule: rule,
            path: path.isEmpty ? nil : path.hasPrefix(".") ? String(path.dropFirst()) : path)
    }

    /// What was wrong with a value that is not of the wrong kind: nothing but the syntax is left at the root.
    private static func reason(of context: DecodingError.Context) -> String {
        guard context.codingPath.isEmpty else { return context.debugDescription }
        // The decoder made the error for this call, so no other thread uses it.
        let words = unsafe (context.underlyingError as? CocoaError)?.userInfo["NSDebugDescription"] as? String
        return "it is not JSON" + (words.map { " (\($0))" } ?? "")
    }

    /// What should have been there. Foundation's own words name types of Swift.
    private static func expectation(of type: Any.Type, _ context: DecodingError.Context) -> String {
        if type == [String: Any].self { return "an object is expected" }
        if type is any Collection.Type, type != String.self { return "a list is expected" }
        return context.debugDescription
    }

    /// The beginning of the document, for the error.
    static func excerpt(_ document: [UInt8]) -> String {
        let text = String(decoding: document.prefix(120), as: UTF8.self)
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
