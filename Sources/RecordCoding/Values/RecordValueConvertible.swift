package import DataStoreCore

/// A type that is stored as a single value of a record instead of in its Codable form.
///
/// Conform your own types to choose how they are stored:
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
/// ``RecordEncoder`` stores the Codable form only if ``recordValue`` is `nil`. ``RecordDecoder`` reads both forms, so
/// records stay readable that were written before the type conformed.
///
/// `Date`, `Data`, `Decimal`, `URL`, `Instant` and `[UInt8]` conform already. Use their conformance in a
/// `RecordMapping` that you write by hand.
package protocol RecordValueConvertible {
    /// The value to store, or `nil` if no value of a record is exact. Then the Codable form is stored.
    var recordValue: Value? { get }

    /// Creates an instance from a stored value.
    ///
    /// - Parameter recordValue: The stored value. Return `nil` if ``recordValue`` never has this form. The value is
    ///   then decoded as the Codable form.
    init?(recordValue: Value)
}

extension Array: RecordValueConvertible where Element == UInt8 {
    /// The bytes as data.
    package var recordValue: Value? { .data(self) }

    /// Creates the bytes of data.
    package init?(recordValue: Value) {
        guard case .data(let bytes) = recordValue else { return nil }
        self = bytes
    }
}
