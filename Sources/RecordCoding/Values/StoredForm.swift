#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A type that is stored as one value of a record instead of in its Codable form.
///
/// If ``StoredContent/storedValue`` is `nil`, the encoder stores the Codable form.
protocol StoredForm: StoredContent {
    /// Whether instances can also be stored in their Codable form. It is `false` for plain values such as strings,
    /// whose `encode(to:)` and `init(from:)` would call the coder again.
    static var hasCodedForm: Bool { get }

    /// Returns the stored value of an instance of this type.
    static func value<Content>(of content: Content) -> Value?

    /// Appends the CBOR of an instance of this type. Returns `false` if its Codable form must be stored.
    static func append<Content>(_ content: Content, to cbor: inout [UInt8]) -> Bool

    /// Appends the CBOR of the instance. Returns `false` if its Codable form must be stored.
    func append(to cbor: inout [UInt8]) -> Bool

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

    static func append<Content>(_ content: Content, to cbor: inout [UInt8]) -> Bool {
        // As above.
        unsafe unsafeBitCast(content, to: Self.self).append(to: &cbor)
    }

    func append(to cbor: inout [UInt8]) -> Bool {
        guard let value = storedValue else { return false }
        cbor.append(cbor: value)
        return true
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

    /// A hash table of the types, whose free slots are `nil`. A search takes less time than looking up a conformance at
    /// run time, and does not depend on the modules that a program links.
    private static let table: [(any StoredForm.Type)?] = {
        let types: [any StoredForm.Type] = [
            String.self, Bool.self, Double.self, Float.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self,
            Int128.self, UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self, UInt128.self,
            Date.self, Data.self, Decimal.self, URL.self, UUID.self, Instant.self, [UInt8].self,
            [String].self, [Int].self, [Double].self, [Date].self, [UUID].self,
        ]
        var table: [(any StoredForm.Type)?] = Array(repeating: nil, count: slotCount)
        for type in types {
            var slot = slot(of: ObjectIdentifier(type))
            while table[slot] != nil { slot = (slot + 1) % slotCount }
            table[slot] = type
        }
        return table
    }()

    /// There are more than twice as many slots as types, so a search ends at a free slot soon.
    private static var slotCount: Int { 64 }

    /// Returns the first slot of a type. The identifiers of types are multiples of eight, so they are mixed.
    @inline(__always)
    private static func slot(of type: ObjectIdentifier) -> Int {
        Int((UInt64(UInt(bitPattern: type)) &* 0x9E37_79B9_7F4A_7C15) >> 32) % slotCount
    }

    /// Returns the type itself if this module determines its stored form, otherwise `nil`.
    static func of(_ type: any Any.Type) -> (any StoredForm.Type)? {
        let table = table
        var slot = slot(of: ObjectIdentifier(type))
        while let found = table[slot] {
            if ObjectIdentifier(found) == ObjectIdentifier(type) { return found }
            slot = (slot + 1) % slotCount
        }
        return nil
    }

    /// Returns the stored value of an instance, or `nil` if its Codable form must be stored.
    static func value<Content>(of content: Content) -> Value? { of(Content.self)?.value(of: content) }
}

// MARK: Plain values

extension String: StoredForm {
    static var hasCodedForm: Bool { false }

    func append(to cbor: inout [UInt8]) -> Bool {
        cbor.append(cbor: self)
        return true
    }

    init(at position: inout Int, in record: EncodedRecord) throws(StoredForms.Failure) {
        let text = try StoredForms.Failure.store { () throws(DataStoreError) in try record.text(at: &position) }
        guard let text else { throw .mismatch }
        self = text
    }
}

extension Bool: StoredForm { static var hasCodedForm: Bool { false } }
extension Double: StoredForm { static var hasCodedForm: Bool { false } }
extension Float: StoredForm { static var hasCodedForm: Bool { false } }

extension StoredForm where Self: FixedWidthInteger {
    static var hasCodedForm: Bool { false }

    init(at position: inout Int, in record: EncodedRecord) throws(StoredForms.Failure) {
        let start = position
        let number = try StoredForms.Failure.store { () throws(DataStoreError) in try record.integer(at: &position) }
        if let number {
            guard let own = Self(exactly: number) else { throw .mismatch }
            self = own
            return
        }
        position = start
        let value = try StoredForms.Failure.store { () throws(DataStoreError) in try record.value(at: &position) }
        guard let own = Self(storedValue: value) else { throw .mismatch }
        self = own
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

extension Instant: StoredForm {}

extension Array: StoredForm where Element: StoredForm {
    @specialized(where Element == String)
    func append(to cbor: inout [UInt8]) -> Bool {
        if Element.self == UInt8.self {
            guard let value = storedValue else { return false }
            cbor.append(cbor: value)
            return true
        }
        let start = cbor.count
        cbor.append(addingCapacity: CBOREncoder.maximumHeadCount) { CBOREncoder.head(.array, UInt64(count), &$0) }
        if allSatisfy({ $0.append(to: &cbor) }) { return true }
        cbor.removeSubrange(start...)
        return false
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

    /// The encoded form of an empty record.
    static let encodedEmpty: [UInt8] = [0xA0]

    /// Whether the value is an array or a record.
    var isContainer: Bool { record != nil || array != nil }
}
