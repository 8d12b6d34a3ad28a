import Foundation
public import UserProfileDomain

/// Reads the JSON of the livedoor weather service (v1) and of its successor weather.tsukumijima.net, which differ in
/// details only.
///
/// It is a tolerant reader: members that it does not know are passed over, and where a service has nothing — `null`, no
/// member, `{}`, `[]` — temperatures, pictures and the description are none. Numbers may stand for text and the other way
/// round. Whatever else is of the wrong kind is an error that names the member's path.
public struct JSONWeatherDecoder: WeatherDecoder {
    /// Makes a decoder.
    public init() {}

    /// Reads a document.
    public func decode(_ document: [UInt8], for city: CityCode) throws(ValidationError) -> Weather {
        do {
            let dto = try JSONDecoder().decode(WeatherDTO.self, from: Data(document))
            return try dto.weather(of: city)
        } catch let error as ValidationError {
            throw error
        } catch let error as DecodingError {
            throw JSONWeatherDecoder.validationError(of: error, in: document)
        } catch {
            throw ValidationError(
                .weatherDocument, given: JSONWeatherDecoder.excerpt(document), rule: "\(error)")
        }
    }

    private static func validationError(of error: DecodingError, in document: [UInt8]) -> ValidationError {
        let (codingPath, rule): ([any CodingKey], String) =
            switch error {
            case .dataCorrupted(let context): (context.codingPath, reason(of: context))
            case .keyNotFound(let key, let context): (context.codingPath + [key], "it is missing")
            case .valueNotFound(_, let context): (context.codingPath, "it is null and must not be")
            case .typeMismatch(_, let context): (context.codingPath, context.debugDescription)
            @unknown default: ([], "\(error)")
            }
        let path = codingPath.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
        return ValidationError(
            .weatherDocument, given: excerpt(document), rule: rule,
            path: path.isEmpty ? nil : path.hasPrefix(".") ? String(path.dropFirst()) : path)
    }

    /// What Foundation's parser found wrong with text that is not JSON.
    private static func reason(of context: DecodingError.Context) -> String {
        guard let underlying = context.underlyingError else { return context.debugDescription }
        let words = (underlying as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
        return "it is not JSON: \(words ?? underlying.localizedDescription)"
    }

    /// The beginning of the document, for the error.
    static func excerpt(_ document: [UInt8]) -> String {
        let text = String(decoding: document.prefix(120), as: UTF8.self)
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
