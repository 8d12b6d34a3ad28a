public import DataStoreCore

/// What a record keeps as one value of its own kinds, although its Codable form is another: a date as a date, bytes as data.
///
/// `RecordEncoder` asks for the value before it asks for the Codable form, and `RecordDecoder` reads either, so records that
/// were written before a type conformed are read as before. Conform types of your own to keep them the way you want:
///
/// ```swift
/// extension Money: RecordValueConvertible {
///     var recordValue: Value? { .integer(cents) }
///     init?(recordValue: Value) {
///         guard case .integer(let cents) = recordValue else { return nil }
///         self.init(cents: cents)
///     }
/// }
/// ```
///
/// `Instant` and `[UInt8]` conform here; `Date`, `Data`, `URL` and `Decimal` do in `UserProfileFoundation`, which
/// `UserProfileKit` brings along.
public protocol RecordValueConvertible {
    /// The value; nil where none is exact. Then the Codable form is kept.
    var recordValue: Value? { get }

    /// Takes the value back.
    ///
    /// - Parameter recordValue: what a record has. Nil is the answer where it is none that ``recordValue`` gives; then it is
    ///   read as the Codable form.
    init?(recordValue: Value)
}

extension Array: RecordValueConvertible where Element == UInt8 {
    /// The bytes as data.
    public var recordValue: Value? { .data(self) }

    /// The bytes of data.
    public init?(recordValue: Value) {
        guard case .data(let bytes) = recordValue else { return nil }
        self = bytes
    }
}
