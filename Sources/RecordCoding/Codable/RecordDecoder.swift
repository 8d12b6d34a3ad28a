package import DataStoreCore
package import UserProfileData

/// Decodes `Decodable` values from records that ``RecordEncoder`` has created, or that a person has edited.
///
/// Kinds of values are not converted: a string of digits is not a number, and a number is not a string. There are two
/// exceptions: an integer is decoded as a real if the type requires one, and a real is rounded to a `Float`.
package struct RecordDecoder: Sendable {
    /// The values that a type's `init(from:)` finds in the decoder's `userInfo`.
    package var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates a decoder.
    package init() {}

    /// Decodes a value from a record.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - record: The record. Fields for which the type has no keys are ignored.
    /// - Returns: The value.
    /// - Throws: `FieldError` with the coding path of the field, e.g. `address.lines[2]`. Its underlying error is the
    ///   `DecodingError`, or the error of the type's own `init(from:)`.
    package func decode<Content: Decodable>(
        _ type: Content.Type = Content.self, from record: Record
    ) throws(FieldError) -> Content {
        try decode(type, of: record[CodedName.value] ?? .record(record))
    }

    /// Decodes a value from the value of a field.
    func decode<Content: Decodable>(
        _ type: Content.Type = Content.self, of value: Value
    ) throws(FieldError) -> Content {
        let run = CodingSession(userInfo: userInfo)
        do {
            return try ValueDecoder(value: value, run: run, path: nil, level: 0).content(type, of: value, at: nil)
        } catch {
            throw run.fieldError(error)
        }
    }
}
