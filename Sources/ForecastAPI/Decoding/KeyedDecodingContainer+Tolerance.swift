#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
