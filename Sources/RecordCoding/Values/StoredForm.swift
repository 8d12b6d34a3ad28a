import DataStoreCore
import RecordFraming
import UserProfileData
import UserProfileDomain

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A type that is stored as one value of a record instead of in its Codable form.
protocol StoredForm: SendableMetatype {
    /// The value to store, or `nil` if no value represents the instance exactly. The encoder then stores the Codable
    /// form.
    var storedValue: Value? { get }

    /// Creates an instance from a stored value. Returns `nil` if the value is of another kind or out of range.
    init?(storedValue: Value)

    /// Whether instances can also be stored in their Codable form. It is `false` for plain values such as strings,
    /// whose `encode(to:)` and `init(from:)` would call the coder again.
    static var hasCodedForm: Bool { get }

    /// Returns the stored value of an instance of this type.
    static func value<Content>(of content: Content) -> Value?

    /// Creates an instance from the encoded value at a position, and moves the position past the value.
    init(at position: inout Int, in record: EncodedRecord) throws(StoredForms.Failure)

    /// Creates an instance of this type from the encoded value at a position.
    static func content<Content>(
        _ type: Content.Type, at position: Int, in record: EncodedRecord
    ) throws(StoredForms.Failure) -> Content
}

extension StoredForm {
    static var hasCodedForm: Bool { true }

    static func value<Content>(of content: Content) -> Value? {
        // The table has returned this form for `Content`, so both are the same type. A cast would look that up again.
        unsafe unsafeBitCast(content, to: Self.self).storedValue
    }

    init(at position: inout Int, in record: EncodedRecord) throws(StoredForms.Failure) {
        let value = try StoredForms.Failure.store { () throws(DataStoreError) in try record.value(at: &position) }
        guard let own = Self(storedValue: value) else { throw .mismatch }
        self = own
    }

    static func content<Content>(
        _ type: Content.Type, at position: Int, in record: EncodedRecord
    ) throws(StoredForms.Failure) -> Content {
        var position = position
        // The table has returned this form for `Content`, so both are the same type.
        return unsafe unsafeBitCast(try Self(at: &position, in: record), to: Content.self)
    }
}

/// The types whose stored form this module determines, such as `String`, `Date` and `[UUID]`.
enum StoredForms {
    /// The reason why a stored value cannot be decoded.
    enum Failure: Error {
        /// The value is not of the form's kind, or is out of range.
        case mismatch
        /// The bytes are not a record.
        case store(DataStoreError)

        /// Returns the result of a closure, whose error becomes ``store(_:)``.
        @inline(__always)
        static func store<Result>(_ body: () throws(DataStoreError) -> Result) throws(Failure) -> Result {
            do {
                return try body()
            } catch {
                throw .store(error)
            }
        }
    }

    /// The types in the order of their identifiers. A binary search takes less time than looking up a conformance at
    /// run time, and does not depend on the modules that a program links.
    private static let types: [any StoredForm.Type] = {
        let types: [any StoredForm.Type] = [
            String.self, Bool.self, Double.self, Float.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self,
            Int128.self, UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self, UInt128.self,
            Date.self, Data.self, Decimal.self, URL.self, UUID.self, Instant.self, [UInt8].self,
            [String].self, [Int].self, [Double].self, [Date].self, [UUID].self,
        ]
        return types.sorted { ObjectIdentifier($0) < ObjectIdentifier($1) }
    }()

    /// Returns the type itself if this module determines its stored form, otherwise `nil`.
    static func of(_ type: any Any.Type) -> (any StoredForm.Type)? {
        let (types, wanted) = (types, ObjectIdentifier(type))
        var (low, high) = (0, types.count)
        while low < high {
            let middle = (low + high) / 2
            let found = ObjectIdentifier(types[middle])
            if found == wanted { return types[middle] }
            if found < wanted { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// Returns the stored value of an instance, or `nil` if its Codable form must be stored.
    static func value<Content>(of content: Content) -> Value? { of(Content.self)?.value(of: content) }
}

// MARK: Plain values

extension String: StoredForm {
    static var hasCodedForm: Bool { false }
    var storedValue: Value? { .string(self) }

    init?(storedValue: Value) {
        guard let text = storedValue.string else { return nil }
        self = text
    }

    init(at position: inout Int, in record: EncodedRecord) throws(StoredForms.Failure) {
        let text = try StoredForms.Failure.store { () throws(DataStoreError) in try record.text(at: &position) }
        guard let text else { throw .mismatch }
        self = text
    }
}

extension Bool: StoredForm {
    static var hasCodedForm: Bool { false }
    var storedValue: Value? { .bool(self) }

    init?(storedValue: Value) {
        guard case .bool(let flag) = storedValue else { return nil }
        self = flag
    }
}

extension Double: StoredForm {
    static var hasCodedForm: Bool { false }
    var storedValue: Value? { .real(self) }

    init?(storedValue: Value) {
        guard let number = storedValue.real else { return nil }
        self = number
    }
}

extension Float: StoredForm {
    static var hasCodedForm: Bool { false }
    var storedValue: Value? { .real(Double(self)) }

    /// Creates the number by rounding a real. Returns `nil` if a finite real exceeds the range of `Float`.
    init?(storedValue: Value) {
        guard let number = storedValue.real else { return nil }
        let rounded = Float(number)
        guard rounded.isFinite || !number.isFinite else { return nil }
        self = rounded
    }
}

extension StoredForm where Self: FixedWidthInteger {
    static var hasCodedForm: Bool { false }

    /// The integer, or its decimal digits as a string if `Int64` cannot represent it.
    var storedValue: Value? { Int64(exactly: self).map { .integer($0) } ?? .string("\(self)") }

    init?(storedValue: Value) {
        switch storedValue {
        case .integer(let number): self.init(exactly: number)
        case .string(let digits):
            // Only an integer outside the range of `Int64` is stored as a string, in the form of `description`.
            guard let number = Self(digits), Int64(exactly: number) == nil, "\(number)" == digits else { return nil }
            self = number
        default: return nil
        }
    }
}

extension Int: StoredForm {}
extension Int8: StoredForm {}
extension Int16: StoredForm {}
extension Int32: StoredForm {}
extension Int64: StoredForm {}
extension Int128: StoredForm {}
extension UInt: StoredForm {}
extension UInt8: StoredForm {}
extension UInt16: StoredForm {}
extension UInt32: StoredForm {}
extension UInt64: StoredForm {}
extension UInt128: StoredForm {}

extension Array: StoredForm where Element: StoredForm {
    /// The bytes as the data value of a record, or an array of the stored values of the elements. The value is `nil` if
    /// an element must be stored in its Codable form.
    var storedValue: Value? {
        // An empty array can be cast to any array, so the type is compared.
        if Element.self == UInt8.self, let bytes = self as? [UInt8] { return .data(bytes) }
        var values: [Value] = []
        values.reserveCapacity(count)
        for element in self {
            guard let value = element.storedValue else { return nil }
            values.append(value)
        }
        return .array(values)
    }

    init?(storedValue: Value) {
        if Element.self == UInt8.self {
            guard case .data(let bytes) = storedValue, let bytes = bytes as? Self else { return nil }
            self = bytes
            return
        }
        guard case .array(let values) = storedValue else { return nil }
        self.init()
        reserveCapacity(values.count)
        for value in values {
            guard let element = Element(storedValue: value) else { return nil }
            append(element)
        }
    }

    @specialized(where Element == String)
    init(at position: inout Int, in record: EncodedRecord) throws(StoredForms.Failure) {
        if Element.self == UInt8.self {
            let value = try StoredForms.Failure.store { () throws(DataStoreError) in try record.value(at: &position) }
            guard let bytes = Self(storedValue: value) else { throw .mismatch }
            self = bytes
            return
        }
        let count = try StoredForms.Failure.store { () throws(DataStoreError) in try record.enterArray(at: &position) }
        guard let count else { throw .mismatch }
        self.init()
        // A damaged head may claim more elements than follow.
        reserveCapacity(Swift.min(count, 64))
        for _ in 0..<count { append(try Element(at: &position, in: record)) }
    }
}

extension Value {
    /// The value that represents `nil` in arrays and dictionaries.
    static let null = Value.record([CodedName.null: .bool(true)])

    /// The encoded form of ``null``.
    static let encodedNull: [UInt8] = [0xA1, 0x65] + Array(CodedName.null.utf8) + [0xF5]

    /// Whether the value is an array or a record.
    var isContainer: Bool { record != nil || array != nil }
}
