/// A decoder of one value of an encoded record. It is a class, because the containers and the type that decodes itself
/// share it.
final class ValueDecoder: Coder, Decoder {
    let record: EncodedRecord
    /// The position of the value, or `nil` if the value is missing, e.g. because the record has no superclass part.
    private(set) var position: Int?
    /// The decoded type, or `nil` for a nested container. A `RawRepresentable` type may be stored as its raw value.
    private let type: (any Any.Type)?
    /// What keyed containers read.
    ///
    /// - Safety: No access calls back into this object, so accesses do not overlap.
    @safe @exclusivity(unchecked) private(set) var fields = Fields.record(0..<0)

    enum Fields {
        /// The found fields of a record.
        case record(Range<Int>)
        /// A plain value, which a `RawRepresentable` type reads as the field `rawValue`.
        case rawValue(Int)
    }

    /// Creates the decoder of a whole record, or of a value in it.
    init(_ position: Int, in record: EncodedRecord, type: any Any.Type, run: CodingSession) {
        (self.record, self.position, self.type) = (record, position, type)
        super.init(run: run)
    }

    /// Begins to decode another record in the same object. Returns `false` if the decoder is of another type, or has a
    /// `userInfo`.
    func begin(_ position: Int, _ type: any Any.Type) -> Bool {
        guard self.type == type, run.userInfo.isEmpty else { return false }
        self.position = position
        run.beginNextRecord()
        return true
    }

    /// Creates a decoder of a value that another value contains.
    init(_ position: Int?, _ key: (any CodingKey)?, in parent: ValueDecoder, type: (any Any.Type)? = nil) {
        (record, self.position, self.type) = (parent.record, position, type)
        super.init(key, in: parent)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        if var position, !isNull(position), let found = try record.fields(at: &position) {
            fields = .record(found)
            return KeyedDecodingContainer(KeyedValueDecoder<Key>(decoder: self))
        }
        return try rawValueContainer(keyedBy: type)
    }

    /// Returns a container whose only field is the raw value that a `RawRepresentable` type was stored as.
    @inline(never)
    private func rawValueContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let position, self.type is any RawRepresentable.Type, Key(stringValue: CodedName.rawValue) != nil,
            try !record.value(at: position).isContainer
        else { throw mismatch(Record.self, position, nil) }
        fields = .rawValue(position)
        return KeyedDecodingContainer(KeyedValueDecoder<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard var first = position, let count = try record.enterArray(at: &first) else {
            throw mismatch([Value].self, position, nil)
        }
        return UnkeyedValueDecoder(elementCount: count, first: first, decoder: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    /// Decodes this value, or a value that it contains.
    func content<Content: Decodable>(
        _ type: Content.Type, at position: Int?, _ key: @autoclosure () -> (any CodingKey)? = nil
    ) throws -> Content {
        if let form = StoredForms.of(type) {
            guard let position else { throw mismatch(type, position, key()) }
            do throws(StoredForms.Failure) {
                return try form.content(type, at: position, in: record)
            } catch {
                switch error {
                case .mismatch where form.hasCodedForm: break
                case .mismatch: throw mismatch(type, position, key())
                case .store(let error): throw error
                }
            }
        }
        let key = key()
        guard level < CodingSession.maximumLevel else {
            throw DecodingError.dataCorrupted(context(key, "values are nested too deep"))
        }
        var decoder = ValueDecoder(position, key, in: self, type: type)
        let foundCount = record.foundCount
        // A type may keep the decoder for the type that contains it, or a container, which keeps the decoder.
        defer { if isKnownUniquelyReferenced(&decoder) { record.forget(after: foundCount) } }
        return try decoder.coded(type)
    }

    /// Decodes this value with `init(from:)` of its type.
    func coded<Content: Decodable>(_ type: Content.Type) throws -> Content {
        do {
            let content = try Content(from: self)
            run.noteSuccess()
            return content
        } catch {
            run.note(error, at: self)
            throw error
        }
    }

    /// Decodes a plain value: this value, or a value that it contains.
    @inline(__always)
    func plain<Content: StoredForm>(
        _ type: Content.Type, at position: Int?, _ key: @autoclosure () -> (any CodingKey)? = nil
    ) throws -> Content {
        guard var next = position else { throw mismatch(type, position, key()) }
        do throws(StoredForms.Failure) {
            return try Content(at: &next, in: record)
        } catch {
            if case .store(let error) = error { throw error }
            throw mismatch(type, position, key())
        }
    }

    /// Returns a decoder of a value that this value contains, for a nested container.
    func nested(_ position: Int?, _ key: any CodingKey) -> ValueDecoder { ValueDecoder(position, key, in: self) }

    /// Returns whether the value at a position represents `nil`.
    func isNull(_ position: Int?) -> Bool {
        guard let position else { return true }
        return record.hasBytes(Value.encodedNull, at: position)
    }

    /// The error of an entity that keeps a decoder or a container of its record.
    var isKept: DecodingError {
        .dataCorrupted(context(nil, "the type keeps a decoder or a container; decode all values in init(from:)"))
    }

    func context(_ key: (any CodingKey)?, _ reason: String) -> DecodingError.Context {
        DecodingError.Context(codingPath: path(key), debugDescription: reason)
    }

    private func mismatch(_ type: any Any.Type, _ position: Int?, _ key: (any CodingKey)?) -> any Error {
        guard let position, !isNull(position) else {
            return DecodingError.valueNotFound(type, context(key, "the value is nil"))
        }
        do {
            let value = try record.value(at: position)
            if case .sealed = value { return DataStoreError.sealedValue(PathKey.text(path(key))) }
            if case .integer(let number) = value {
                return DecodingError.typeMismatch(type, context(key, "the value is \(number)"))
            }
            return DecodingError.typeMismatch(type, context(key, "the value has the kind \(value.kind)"))
        } catch {
            return error
        }
    }
}

// The overloads for frequent types avoid looking up the type. The other `decode` functions call the generic one.
extension ValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { isNull(position) }
    func decode(_ type: String.Type) throws -> String { try plain(type, at: position) }
    func decode(_ type: Int.Type) throws -> Int { try plain(type, at: position) }
    func decode<Content: Decodable>(_ type: Content.Type) throws -> Content { try content(type, at: position) }

    // Without these overloads, the compiler would choose the standard library's defaults, which throw.
    func decode(_ type: Int128.Type) throws -> Int128 { try plain(type, at: position) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try plain(type, at: position) }
}
