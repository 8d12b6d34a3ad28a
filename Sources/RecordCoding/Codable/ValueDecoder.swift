import DataStoreCore
import UserProfileData

/// A decoder of one value of a record. It is a class, because the containers and the type that decodes itself share it.
final class ValueDecoder: Coder, Decoder {
    let value: Value
    /// The decoded type, or `nil` for a nested container. A `RawRepresentable` type may be stored as its raw value.
    private let type: (any Any.Type)?

    init(_ value: Value, run: CodingSession) {
        (self.value, type) = (value, nil)
        super.init(run: run)
    }

    /// Creates a decoder of a value that another value contains.
    init(_ value: Value, _ key: (any CodingKey)?, in parent: ValueDecoder, type: (any Any.Type)? = nil) {
        (self.value, self.type) = (value, type)
        super.init(key, in: parent)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        if case .record(let record) = value, !value.isNull {
            return KeyedDecodingContainer(KeyedValueDecoder<Key>(record: record, decoder: self))
        }
        guard value.record == nil, value.array == nil, self.type is any RawRepresentable.Type,
            Key(stringValue: CodedName.rawValue) != nil
        else { throw mismatch(Record.self, value, nil) }
        let record: Record = [CodedName.rawValue: value]
        return KeyedDecodingContainer(KeyedValueDecoder<Key>(record: record, decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw mismatch([Value].self, value, nil) }
        return UnkeyedValueDecoder(elements: elements, decoder: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    /// Decodes this value, or a value that it contains.
    func content<Content: Decodable>(
        _ type: Content.Type, of value: Value, _ key: @autoclosure () -> (any CodingKey)? = nil
    ) throws -> Content {
        if let form = StoredForms.of(type) {
            do throws(StoredForms.Mismatch) {
                return try form.content(type, of: value)
            } catch {
                guard form.hasCodedForm else { throw mismatch(type, value, key()) }
            }
        }
        let key = key()
        guard level < CodingSession.maximumLevel else {
            throw DecodingError.dataCorrupted(context(key, "values are nested too deep"))
        }
        let decoder = ValueDecoder(value, key, in: self, type: type)
        do {
            let content = try Content(from: decoder)
            run.noteSuccess()
            return content
        } catch {
            run.note(errorAt: decoder)
            throw error
        }
    }

    /// Decodes a plain value: this value, or a value that it contains.
    @inline(__always)
    func plain<Content: StoredForm>(
        _ type: Content.Type, of value: Value, _ key: @autoclosure () -> (any CodingKey)? = nil
    ) throws -> Content {
        guard let content = Content(storedValue: value) else { throw mismatch(type, value, key()) }
        return content
    }

    /// Returns a decoder of a value that this value contains, for a nested container.
    func nested(_ value: Value, _ key: any CodingKey) -> ValueDecoder { ValueDecoder(value, key, in: self) }

    func context(_ key: (any CodingKey)?, _ reason: String) -> DecodingError.Context {
        DecodingError.Context(codingPath: path(key), debugDescription: reason)
    }

    private func mismatch(_ type: any Any.Type, _ value: Value, _ key: (any CodingKey)?) -> DecodingError {
        if value.isNull { return .valueNotFound(type, context(key, "the value is nil")) }
        if case .integer(let number) = value {
            return .typeMismatch(type, context(key, "the value is \(number)"))
        }
        return .typeMismatch(type, context(key, "the value has the kind \(value.kind)"))
    }
}

// The overloads for frequent types avoid looking up the type. The other `decode` functions call the generic one.
extension ValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value.isNull }
    func decode(_ type: String.Type) throws -> String { try plain(type, of: value) }
    func decode(_ type: Int.Type) throws -> Int { try plain(type, of: value) }
    func decode<Content: Decodable>(_ type: Content.Type) throws -> Content { try content(type, of: value) }

    // Without these overloads, the compiler would choose the standard library's defaults, which throw.
    func decode(_ type: Int128.Type) throws -> Int128 { try plain(type, of: value) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try plain(type, of: value) }
}
