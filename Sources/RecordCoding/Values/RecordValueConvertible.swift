package import DataStoreCore

/// A type that is stored as a single value of a record instead of in its Codable form.
///
/// Conform a type to choose its stored form:
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
/// records that were written before the type conformed stay readable.
///
/// `Date`, `Data`, `Decimal`, `URL`, `UUID`, `Instant` and `[UInt8]` already conform. Use their conformance in a
/// `RecordMapping` that you write yourself.
package protocol RecordValueConvertible {
    /// The value to store, or `nil` if no value represents the instance exactly. The encoder then stores the Codable
    /// form.
    var recordValue: Value? { get }

    /// Creates an instance from a stored value.
    ///
    /// Return `nil` if the property ``recordValue`` of an instance is never such a value. The decoder then decodes the
    /// value in the Codable form.
    ///
    /// - Parameter recordValue: The stored value.
    init?(recordValue: Value)
}

extension Array: RecordValueConvertible where Element == UInt8 {
    /// The bytes as the data value of a record.
    package var recordValue: Value? { .data(self) }

    /// Creates the bytes from a data value. Returns `nil` for a value of another kind.
    package init?(recordValue: Value) {
        guard case .data(let bytes) = recordValue else { return nil }
        self = bytes
    }
}
