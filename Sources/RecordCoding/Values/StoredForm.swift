import DataStoreCore
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
}

extension StoredForm {
    static var hasCodedForm: Bool { true }

    fileprivate static func value(of content: some Any) -> Value? { (content as? Self)?.storedValue }
}

/// The types whose stored form this module determines, such as `String`, `Date` and `URL`.
enum StoredForms {
    /// A table takes less time than looking up a conformance at run time, and does not depend on the modules that a
    /// program links.
    private static let types: [ObjectIdentifier: any StoredForm.Type] = {
        let types: [any StoredForm.Type] = [
            String.self, Bool.self, Double.self, Float.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self,
            Int128.self, UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self, UInt128.self,
            Date.self, Data.self, Decimal.self, URL.self, UUID.self, Instant.self, [UInt8].self,
        ]
        return Dictionary(types.map { (ObjectIdentifier($0), $0) }) { $1 }
    }()

    /// Returns the type itself if this module determines its stored form, otherwise `nil`.
    static func of(_ type: any Any.Type) -> (any StoredForm.Type)? { types[ObjectIdentifier(type)] }

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

extension Array: StoredForm where Element == UInt8 {
    /// The bytes as the data value of a record.
    var storedValue: Value? { .data(self) }

    init?(storedValue: Value) {
        guard case .data(let bytes) = storedValue else { return nil }
        self = bytes
    }
}

extension Value {
    /// The value that represents `nil` in arrays and dictionaries.
    static let null = Value.record([CodedName.null: .bool(true)])

    /// Whether the value is ``null``, which represents `nil`.
    var isNull: Bool {
        guard let record, record.count == 1 else { return false }
        return record[CodedName.null] == .bool(true)
    }
}
