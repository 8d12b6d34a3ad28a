package import DataStoreCore
package import UserProfileData

/// A decoder that creates `Decodable` values from records, which a ``RecordEncoder`` or a person has written.
///
/// The decoder does not convert values of one kind to another, e.g. a string of digits to a number. There are three
/// exceptions: an integer is decoded as a real if the type requires one, a real is rounded to a `Float`, and an integer
/// beyond `Int64` is decoded from the string in which it is stored.
package struct RecordDecoder: Sendable {
    /// The `userInfo` of the decoder that `init(from:)` of a type receives.
    package var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates a decoder.
    package init() {}

    /// Decodes a value from a record.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - record: The record. Fields that are not coding keys of the type are ignored.
    /// - Returns: The decoded value.
    /// - Throws: `FieldError` with the path of the invalid field, e.g. `address.lines[2]`. Its underlying error is the
    ///   `DecodingError`, or the error that `init(from:)` threw.
    package func decode<Content: Decodable>(
        _ type: Content.Type = Content.self, from record: Record
    ) throws(FieldError) -> Content {
        try decode(type, of: record[CodedName.value] ?? .record(record))
    }

    /// Decodes an instance of a type from the stored value of a field.
    func decode<Content: Decodable>(
        _ type: Content.Type = Content.self, of value: Value
    ) throws(FieldError) -> Content {
        let run = CodingSession(userInfo: userInfo)
        do {
            return try ValueDecoder(value, run: run).content(type, of: value)
        } catch {
            throw run.fieldError(error)
        }
    }
}
