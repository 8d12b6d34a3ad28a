import DataStoreCore
import UserProfileData

/// A decoder of one value of a record. It is a class, because the containers and the type that decodes itself share it.
final class ValueDecoder: Decoder {
    let value: Value
    let run: CodingSession
    let path: CodedPath?
    /// The nesting level of the value, which ``CodingSession/maximumLevel`` limits. A type that is stored as a single
    /// value adds a level, too.
    let level: Int
    /// The decoded type, or `nil` for a nested container. A `RawRepresentable` type may be stored as its raw value.
    private let type: (any Any.Type)?

    init(value: Value, run: CodingSession, path: CodedPath?, level: Int, type: (any Any.Type)? = nil) {
        (self.value, self.run, self.path, self.level, self.type) = (value, run, path, level, type)
    }

    var codingPath: [any CodingKey] { CodedPath.keys(path) }
    var userInfo: [CodingUserInfoKey: Any] { run.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        if let record = value.record, !value.isNull {
            return KeyedDecodingContainer(KeyedValueDecoder<Key>(record: record, decoder: self))
        }
        guard value.record == nil, value.array == nil, self.type is any RawRepresentable.Type,
            Key(stringValue: CodedName.rawValue) != nil
        else { throw mismatch("record", at: path) }
        let record: Record = [CodedName.rawValue: value]
        return KeyedDecodingContainer(KeyedValueDecoder<Key>(record: record, decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = value.array else { throw mismatch("array", at: path) }
        return UnkeyedValueDecoder(elements: elements, decoder: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    /// Decodes this value, or a value that it contains.
    func content<Content: Decodable>(
        _ type: Content.Type, of value: Value, at path: @autoclosure () -> CodedPath?
    ) throws -> Content {
        if let form = StoredForms.of(type) {
            if let content = form.init(storedValue: value) as? Content { return content }
            guard form.hasCodedForm else { throw mismatch(type, value, at: path()) }
        }
        let path = path()
        guard level < CodingSession.maximumLevel else {
            throw DecodingError.dataCorrupted(context(path, "values are nested too deep"))
        }
        do {
            let decoder = ValueDecoder(value: value, run: run, path: path, level: level + 1, type: type)
            let content = try Content(from: decoder)
            run.noteSuccess()
            return content
        } catch {
            run.note(errorAt: path)
            throw error
        }
    }

    /// Returns a decoder of a value that this value contains, for a nested container.
    func nested(_ value: Value, _ key: any CodingKey) throws -> ValueDecoder {
        ValueDecoder(value: value, run: run, path: CodedPath(key, in: path), level: level + 1)
    }

    func context(_ path: CodedPath?, _ reason: String) -> DecodingError.Context {
        DecodingError.Context(codingPath: CodedPath.keys(path), debugDescription: reason)
    }

    private func mismatch(_ expected: String, at path: CodedPath?) -> DecodingError {
        let type: any Any.Type = expected == "array" ? [Value].self : Record.self
        return .typeMismatch(
            type, context(path, value.isNull ? "the value is nil" : "the value has the kind \(value.kind)"))
    }

    private func mismatch<Content>(_ type: Content.Type, _ value: Value, at path: CodedPath?) -> DecodingError {
        if value.isNull { return .valueNotFound(type, context(path, "the value is nil")) }
        if case .integer(let number) = value {
            return .typeMismatch(type, context(path, "the value is \(number)"))
        }
        return .typeMismatch(type, context(path, "the value has the kind \(value.kind)"))
    }
}

extension ValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value.isNull }

    // The other `decode` functions of the container call this one.
    func decode<Content: Decodable>(_ type: Content.Type) throws -> Content {
        try content(type, of: value, at: path)
    }

    // Without this overload, the compiler would choose the standard library's default for `Int128`, which throws.
    func decode(_ type: Int128.Type) throws -> Int128 { try content(type, of: value, at: path) }

    func decode(_ type: UInt128.Type) throws -> UInt128 { try content(type, of: value, at: path) }
}
