package import UserProfileDomain

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A decoder for the JSON of the livedoor weather service (v1) and of its successor weather.tsukumijima.net, which
/// differ only in details, and for the JSON that `profile-cli` prints.
///
/// The decoder ignores unknown members. In documents of the services, temperatures, pictures and the description are
/// `nil` if the member is missing, `null`, `{}` or `[]`, and numbers and strings are interchangeable. Any other type
/// mismatch is a `ValidationError` with the path of the member. In a day, it is a warning, and the day is left out.
package struct LivedoorDecoder: WeatherDecoder {
    /// Creates a decoder.
    package init() {}

    /// Decodes the weather document of a city. Throws `ValidationError` if the document is invalid, contains an error
    /// message, or names another city, or if no day can be read.
    package func decode(_ document: [UInt8], for city: CityCode) throws(ValidationError) -> DecodedWeather {
        try LivedoorDecoder.readWeather(document) { dto throws(ValidationError) in
            switch dto {
            case .service(let weather): try weather.weather(of: city)
            case .saved(let weather): try weather.weather(of: city)
            }
        }
    }

    /// Returns the error message that an invalid document contains instead of weather, or `nil` if it contains none.
    static func errorMessage(in document: [UInt8]) -> String? {
        try? read(document) { (dto: ErrorDTO) in dto.message }
    }

    /// Returns the city that a document names. Only documents that were printed by `profile-cli` name one.
    ///
    /// - Parameter document: The document.
    /// - Returns: The code of the city, or `nil` if the document does not name a city.
    /// - Throws: `ValidationError` if the document is invalid.
    package static func city(of document: [UInt8]) throws(ValidationError) -> CityCode? {
        try readWeather(document) { dto throws(ValidationError) in
            if case .saved(let weather) = dto { try weather.code() } else { nil }
        }
    }

    private static func readWeather<Value>(
        _ document: [UInt8], _ make: (WeatherDTO) throws(ValidationError) -> Value
    ) throws(ValidationError) -> Value {
        do throws(ValidationError) {
            return try read(document, make)
        } catch {
            guard let message = errorMessage(in: document) else { throw error }
            throw ValidationError(
                .weatherDocument, given: excerpt(document),
                rule: "the service answered \(message.excerpt(200).quoted)", path: "error")
        }
    }

    /// Decodes a document and converts it with `make`. If a member is invalid, the error contains its path.
    static func read<DTO: Decodable, Value>(
        _ document: [UInt8], _ make: (DTO) throws(ValidationError) -> Value
    ) throws(ValidationError) -> Value {
        guard String(validating: document, as: UTF8.self) != nil else {
            throw ValidationError(.weatherDocument, given: excerpt(document), rule: "not UTF-8")
        }
        do {
            return try make(try JSONDecoder().decode(DTO.self, from: Data(document)))
        } catch {
            throw validationError(of: error, given: excerpt(document))
        }
    }

    /// Converts an error of a decoder to an error about the document. `part` is the path of the part of the document
    /// that was decoded. The error has this path if the decoder names no member.
    static func validationError(of error: any Error, given: String, in part: String? = nil) -> ValidationError {
        if let error = error as? ValidationError { return error }
        guard let error = error as? DecodingError else {
            return ValidationError(.weatherDocument, given: given, rule: "\(error)", path: part)
        }
        let (codingPath, rule): ([any CodingKey], String) =
            switch error {
            case .dataCorrupted(let context): (context.codingPath, reason(of: context))
            case .keyNotFound(let key, let context): (context.codingPath + [key], "the member is missing")
            case .valueNotFound(_, let context): (context.codingPath, "the member is null")
            case .typeMismatch(let type, let context): (context.codingPath, expectation(of: type, context))
            @unknown default: ([], "\(error)")
            }
        let path = codingPath.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
        return ValidationError(
            .weatherDocument, given: given, rule: rule,
            path: path.isEmpty ? part : path.hasPrefix(".") ? String(path.dropFirst()) : path)
    }

    /// Returns the reason for a `dataCorrupted` error. If the coding path is empty, the reason is that the document is
    /// not JSON.
    private static func reason(of context: DecodingError.Context) -> String {
        guard context.codingPath.isEmpty else { return context.debugDescription }
        // The decoder created the error for this call, so no other thread uses it.
        let words = unsafe (context.underlyingError as? CocoaError)?.userInfo["NSDebugDescription"] as? String
        return "not JSON" + (words.map { " (\($0))" } ?? "")
    }

    /// Returns a message that explains a type mismatch. If an object or an array is expected, the message replaces
    /// Foundation's description, which mentions Swift types.
    private static func expectation(of type: Any.Type, _ context: DecodingError.Context) -> String {
        if type == [String: Any].self { return "expected an object" }
        if type is any Collection.Type, type != String.self { return "expected an array" }
        return context.debugDescription
    }

    /// Returns the first 120 bytes of a document as text for error messages, with each run of white space replaced by a
    /// space.
    static func excerpt(_ document: [UInt8]) -> String {
        let text = String(decoding: document.prefix(120), as: UTF8.self)
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
