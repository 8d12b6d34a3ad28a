public import DataStoreCore

/// Makes `Decodable` values of records that ``RecordEncoder`` has made, or a person has edited.
///
/// Kinds are not guessed at: a string of digits is no number, a number is no string. A whole number is read where a real is
/// expected, and a real is rounded to a `Float`.
public struct RecordDecoder: Sendable {
    /// What a type's `init(from:)` may ask for.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Makes a decoder.
    public init() {}

    /// Makes a value of a record.
    ///
    /// - Parameters:
    ///   - type: what to make.
    ///   - record: the record. Fields that the type has no keys for are passed over.
    /// - Returns: the value.
    /// - Throws: ``FieldError``, which names the field by its coding path, e.g. `address.lines[2]`, and has as its cause the
    ///   `DecodingError`, or what the type's own `init(from:)` threw.
    public func decode<Content: Decodable>(
        _ type: Content.Type = Content.self, from record: Record
    ) throws(FieldError) -> Content {
        try decode(type, of: record[CodedName.value] ?? .record(record))
    }

    /// Makes a value of one of a record's kinds.
    func decode<Content: Decodable>(
        _ type: Content.Type = Content.self, of value: Value
    ) throws(FieldError) -> Content {
        let run = CodingRun(userInfo: userInfo)
        do {
            return try ValueDecoder(value: value, run: run, path: nil, level: 0).content(type, of: value, at: nil)
        } catch {
            throw run.fieldError(error)
        }
    }
}
