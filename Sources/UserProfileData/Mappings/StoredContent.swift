/// A type of which a field of a record can contain an instance. ``RecordMapping/entity(of:id:)`` of your own mapping
/// reads such fields with `required` and `optional` of a view.
///
/// Strings, numbers, booleans, `Timestamp`, arrays of these, and with the module `RecordCoding` `Date`, `UUID`,
/// `Decimal`, `URL` and `Data` conform. A type with such a raw value conforms without further code:
///
/// ```swift
/// extension Status: StoredContent {}
/// ```
public protocol StoredContent: SendableMetatype {
    /// The value to store, or `nil` if no value represents the instance exactly.
    var storedValue: Value? { get }

    /// Creates an instance from a stored value. Returns `nil` if the value is of another kind or out of range.
    init?(storedValue: Value)

    /// Returns the content of a field. Returns `nil` if the field is missing, is of another kind or is out of range.
    ///
    /// The default implementation decodes the value and calls ``init(storedValue:)``. The types of this package read
    /// the encoded form in place.
    static func content(of name: String, in record: borrowing RecordView) throws(DataStoreError) -> Self?
}

extension StoredContent {
    /// Returns the content of a field, or `nil` if the field is missing or of another kind.
    public static func content(of name: String, in record: borrowing RecordView) throws(DataStoreError) -> Self? {
        try record.value(of: name).flatMap(Self.init(storedValue:))
    }
}

extension StoredContent where Self: RawRepresentable, RawValue: StoredContent {
    /// The value to store.
    public var storedValue: Value? { rawValue.storedValue }

    /// Creates an instance from a stored value. Returns `nil` if the value is of another kind or out of range.
    public init?(storedValue: Value) {
        guard let rawValue = RawValue(storedValue: storedValue) else { return nil }
        self.init(rawValue: rawValue)
    }

    /// Returns the content of a field, or `nil` if the field is missing or of another kind.
    @inlinable @inline(__always)
    public static func content(of name: String, in record: borrowing RecordView) throws(DataStoreError) -> Self? {
        guard let rawValue = try RawValue.content(of: name, in: record) else { return nil }
        return Self(rawValue: rawValue)
    }
}

extension String: StoredContent {
    /// The value to store.
    public var storedValue: Value? { .string(self) }

    /// Creates an instance from a stored value. Returns `nil` if the value is of another kind or out of range.
    public init?(storedValue: Value) {
        guard let text = storedValue.string else { return nil }
        self = text
    }

    /// Returns the content of a field, or `nil` if the field is missing or of another kind.
    @inlinable @inline(__always)
    public static func content(of name: String, in record: borrowing RecordView) throws(DataStoreError) -> String? {
        try record.text(of: FieldName(name))
    }
}

extension Bool: StoredContent {
    /// The value to store.
    public var storedValue: Value? { .bool(self) }

    /// Creates an instance from a stored value. Returns `nil` if the value is of another kind or out of range.
    public init?(storedValue: Value) {
        guard case .bool(let flag) = storedValue else { return nil }
        self = flag
    }
}

extension Double: StoredContent {
    /// The value to store.
    public var storedValue: Value? { .real(self) }

    /// Creates an instance from a stored value. Returns `nil` if the value is of another kind or out of range.
    public init?(storedValue: Value) {
        guard let number = storedValue.real else { return nil }
        self = number
    }

    /// Returns the content of a field, or `nil` if the field is missing or of another kind.
    @inlinable @inline(__always)
    public static func content(of name: String, in record: borrowing RecordView) throws(DataStoreError) -> Double? {
        if let number = try record.real(of: FieldName(name)) { return number }
        return try record.value(of: name)?.real
    }
}

extension Float: StoredContent {
    /// The value to store.
    public var storedValue: Value? { .real(Double(self)) }

    /// Creates the number by rounding a real. Returns `nil` if a finite real exceeds the range of `Float`.
    public init?(storedValue: Value) {
        guard let number = storedValue.real else { return nil }
        let rounded = Float(number)
        guard rounded.isFinite || !number.isFinite else { return nil }
        self = rounded
    }
}

extension StoredContent where Self: FixedWidthInteger {
    /// The integer, or its decimal digits as a string if `Int64` cannot represent it.
    public var storedValue: Value? { Int64(exactly: self).map { .integer($0) } ?? .string("\(self)") }

    /// Creates an instance from a stored value. Returns `nil` if the value is of another kind or out of range.
    public init?(storedValue: Value) {
        switch storedValue {
        case .integer(let number): self.init(exactly: number)
        case .string(let digits):
            // Only an integer outside the range of `Int64` is stored as a string, in the form of `description`.
            guard let number = Self(digits), Int64(exactly: number) == nil, "\(number)" == digits else { return nil }
            self = number
        default: return nil
        }
    }

    /// Returns the content of a field, or `nil` if the field is missing or of another kind.
    @inlinable @inline(__always)
    public static func content(of name: String, in record: borrowing RecordView) throws(DataStoreError) -> Self? {
        if let number = try record.integer(of: FieldName(name)) { return Self(exactly: number) }
        return try record.value(of: name).flatMap(Self.init(storedValue:))
    }
}

extension Int: StoredContent {}
extension Int8: StoredContent {}
extension Int16: StoredContent {}
extension Int32: StoredContent {}
extension Int64: StoredContent {}
extension Int128: StoredContent {}
extension UInt: StoredContent {}
extension UInt8: StoredContent {}
extension UInt16: StoredContent {}
extension UInt32: StoredContent {}
extension UInt64: StoredContent {}
extension UInt128: StoredContent {}

extension Timestamp: StoredContent {
    /// The value to store.
    public var storedValue: Value? { .date(self) }

    /// Creates an instance from a stored value. Returns `nil` if the value is of another kind or out of range.
    public init?(storedValue: Value) {
        guard let date = storedValue.date else { return nil }
        self = date
    }

    /// Returns the content of a field, or `nil` if the field is missing or of another kind.
    @inlinable @inline(__always)
    public static func content(of name: String, in record: borrowing RecordView) throws(DataStoreError) -> Timestamp? {
        try record.date(of: FieldName(name))
    }
}

extension Instant: StoredContent {
    /// The point in time as the date value of a record.
    public var storedValue: Value? { .date(Timestamp(self)) }

    /// Creates the point in time from a date value. Returns `nil` for a value of another kind.
    public init?(storedValue: Value) {
        guard let date = storedValue.date else { return nil }
        self.init(seconds: date.seconds, nanoseconds: date.nanoseconds)
    }
}

extension Value: StoredContent {
    /// The value to store.
    public var storedValue: Value? { self }

    /// Creates an instance from a stored value. Returns `nil` if the value is of another kind or out of range.
    public init(storedValue: Value) { self = storedValue }
}

extension Array: StoredContent where Element: StoredContent {
    /// The bytes as the data value of a record, or an array of the stored values of the elements. The value is `nil` if
    /// an element has none.
    public var storedValue: Value? {
        // An empty array can be cast to any array, so the type is compared.
        if Element.self == UInt8.self, let bytes = self as? [UInt8] { return .data(bytes) }
        let values = compactMap(\.storedValue)
        return values.count == count ? .array(values) : nil
    }

    /// Creates an instance from a stored value. Returns `nil` if the value is of another kind or out of range.
    public init?(storedValue: Value) {
        if Element.self == UInt8.self {
            guard case .data(let bytes) = storedValue, let bytes = bytes as? Self else { return nil }
            self = bytes
            return
        }
        guard case .array(let values) = storedValue else { return nil }
        self = values.compactMap(Element.init(storedValue:))
        guard count == values.count else { return nil }
    }

    /// Returns the content of a field, or `nil` if the field is missing or of another kind.
    @inlinable @inline(__always)
    public static func content(of name: String, in record: borrowing RecordView) throws(DataStoreError) -> [Element]? {
        if Element.self == String.self { return try record.texts(of: FieldName(name)) as? Self }
        return try record.value(of: name).flatMap(Self.init(storedValue:))
    }
}
