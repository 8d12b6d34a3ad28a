/// The coding keys for which a type asks a decoder, and the structure of the values that it expects for them.
///
/// The shape is found without a record: the type is decoded from empty texts, zeros and empty arrays. If it rejects
/// one of them, decoding ends early, and the keys after it are unknown. No conclusion is drawn from a decoded value.
final class CodingShape {
    /// The shapes of a type and of the types in it. The number and the depth of types are limited, because generic
    /// types can contain ever new types.
    final class Search {
        private static let maximumCount = 1_000
        private static let maximumDepth = 16

        let userInfo: [CodingUserInfoKey: any Sendable]
        private var found: [ObjectIdentifier: (tree: FieldTree, content: Any?)] = [:]
        private var depth = 0

        init(userInfo: [CodingUserInfoKey: any Sendable] = [:]) { self.userInfo = userInfo }

        /// Returns the structure of the stored values of a type, and an instance of it if the type accepts the values.
        func find<Content: Decodable>(_ type: Content.Type) -> (tree: FieldTree, content: Content?) {
            if let found = found[ObjectIdentifier(type)] { return (found.tree, found.content as? Content) }
            guard depth < Search.maximumDepth, found.count < Search.maximumCount else { return (.unknown, nil) }
            // A type that contains itself finds this entry.
            found[ObjectIdentifier(type)] = (.unknown, nil)
            depth += 1
            defer { depth -= 1 }
            let result: (tree: FieldTree, content: Any?) =
                if let value = CodingShape.plainContent(of: type) {
                    (value.tree, value.content)
                } else {
                    coded(type)
                }
            found[ObjectIdentifier(type)] = result
            return (result.tree, result.content as? Content)
        }

        private func coded<Content: Decodable>(_ type: Content.Type) -> (tree: FieldTree, content: Any?) {
            let shape = CodingShape(self)
            var content = shape.content(type)
            if content == nil, shape.form == .array { content = CodingShape(self, isEmpty: true).content(type) }
            if content == nil, let type = type as? any CaseIterable.Type { content = first(of: type) as? Content }
            return (shape.tree(of: type), content)
        }

        private func first<Enum: CaseIterable>(of type: Enum.Type) -> Any? { type.allCases.first }
    }

    fileprivate enum Form { case unknown, value, array, record }

    fileprivate let search: Search
    /// Whether arrays have no elements. Otherwise they have one.
    fileprivate let isEmpty: Bool
    fileprivate private(set) var form = Form.unknown
    /// The structure of the value, or of an array's elements.
    private var value = FieldTree.unknown
    private var fields: [String: FieldTree] = [:]
    private var isComplete = true
    /// The fields of the coding keys for which the type has asked, by the names of their enum cases.
    private var fieldsOfCases: [String: String] = [:]
    /// One closure for each type of coding keys. It returns the field of the key with a name, and the name of its case.
    private var keys: [@Sendable (String) -> (field: String, caseName: String?)?] = []

    fileprivate init(_ search: Search, isEmpty: Bool = false) {
        self.search = search
        self.isEmpty = isEmpty
    }

    /// Finds the shape of a type.
    convenience init(of type: any Decodable.Type, userInfo: [CodingUserInfoKey: any Sendable] = [:]) {
        self.init(Search(userInfo: userInfo))
        _ = content(type)
    }

    /// Returns the kind of value that stores an instance of a type, or `nil` if the kind is unknown.
    static func kind(of type: any Any.Type) -> FieldTree.Kind? {
        guard let type = type as? any Decodable.Type, case .value(let kind) = Search().find(type).tree else {
            return nil
        }
        return kind
    }

    /// Returns the fields that the records of a type can have, or `FieldTree.unknown` if the type does not decode a
    /// keyed container. A type that encodes as a single value is stored in a field with a reserved name.
    func record(of type: any Any.Type) -> FieldTree {
        if form == .record, case .record(let fields, let isComplete, let accepts) = tree(of: type) {
            // The known properties complete the keys that were found before decoding ended.
            let names = Reflection.properties(of: type).map { self.field(of: $0.name) }
            let known = Dictionary(names.compactMap { $0 }.map { ($0, FieldTree.unknown) }) { first, _ in first }
            return .record(
                fields.merging(known) { found, _ in found }, isComplete: isComplete || !names.contains(nil),
                accepts: accepts)
        }
        return .unknown
    }

    /// Returns the name of the field that stores a property, or `nil` if it cannot be proved. It is proved by a case of
    /// the coding keys that has the name of the property.
    func field(of property: String) -> String? {
        if let field = fieldsOfCases[property] { return field }
        for key in keys {
            guard let (field, caseName) = key(property) else { continue }
            // A struct of coding keys may accept any name, so the type must have asked for it.
            if caseName == property || caseName == nil && fields[field] != nil { return field }
        }
        return nil
    }

    fileprivate func tree(of type: any Any.Type) -> FieldTree {
        switch form {
        case .unknown: return .unknown
        case .value: return value
        case .array: return .array(value)
        case .record:
            if fields.count == 1, type is any RawRepresentable.Type, let raw = fields[CodedName.rawValue] {
                return raw
            }
            let keys = keys
            return .record(fields, isComplete: isComplete) { field in
                CodedName.key(of: field).map { name in keys.contains { $0(name) != nil } } ?? false
            }
        }
    }

    /// Decodes a type. Returns `nil` if it rejects a value.
    fileprivate func content<Content: Decodable>(_ type: Content.Type) -> Content? {
        do {
            return try Content(from: self)
        } catch {
            // The error only means that the type rejects a value.
            isComplete = false
            return nil
        }
    }

    fileprivate func noteKeys<Key: CodingKey>(_ type: Key.Type) {
        form = .record
        keys.append { name in
            Key(stringValue: name).map { (CodedName.field(of: $0), Reflection.caseName(of: $0)) }
        }
    }

    fileprivate func note(_ tree: FieldTree, for key: some CodingKey) {
        let field = CodedName.field(of: key)
        fields[field] = tree
        if let name = Reflection.caseName(of: key) { fieldsOfCases[name] = field }
    }

    fileprivate func note(_ tree: FieldTree) {
        value = tree
        if form == .unknown { form = .value }
    }

    /// Returns an instance of a type that is stored as a single value, and the kind of the value.
    private static func plainContent(of type: any Any.Type) -> (tree: FieldTree, content: Any)? {
        let values: [Value] = [
            .integer(0), .string(""), .bool(false), .date(Timestamp(seconds: 0)), .data([]), .string("0"),
            .string("00000000-0000-0000-0000-000000000000"),
        ]
        guard let form = StoredForms.of(type) else { return nil }
        for value in values {
            if let content = form.init(storedValue: value) { return (content.storedValue?.tree ?? .unknown, content) }
        }
        return nil
    }
}

extension Value {
    /// The structure of a field whose stored values have the same kind as this one.
    fileprivate var tree: FieldTree {
        switch self {
        case .string: .value(.text)
        case .integer, .real: .value(.number)
        case .bool: .value(.bool)
        case .date: .value(.date)
        case .data: .value(.data)
        case .array: .array(.unknown)
        case .record, .sealed: .unknown
        }
    }
}

// The decoder of a type, which records the decoded keys and types, and its container of a single value.
extension CodingShape: Decoder, SingleValueDecodingContainer {
    /// An error that ends decoding.
    fileprivate struct Rejected: Error {}

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { search.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        noteKeys(type)
        return KeyedDecodingContainer(ShapeFields<Key>(shape: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer {
        if form == .unknown { form = .array }
        return ShapeElements(shape: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { false }

    func decode<Content: Decodable>(_ type: Content.Type) throws -> Content { try decode(type) { note($0) } }

    // Without these overloads, the compiler would choose the standard library's defaults, which throw.
    func decode(_ type: Int128.Type) throws -> Int128 { try decode(type) { note($0) } }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try decode(type) { note($0) } }

    /// Decodes a value of this one, and passes its structure to `note`.
    fileprivate func decode<Content: Decodable>(_ type: Content.Type, _ note: (FieldTree) -> Void) throws -> Content {
        let (tree, content) = search.find(type)
        note(tree)
        guard let content else { throw Rejected() }
        return content
    }

    /// Returns a decoder of a nested container, whose structure remains unknown.
    fileprivate func nested() -> CodingShape { CodingShape(search, isEmpty: isEmpty) }
}

/// A keyed container that records the decoded keys.
private struct ShapeFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let shape: CodingShape

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }
    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<Content: Decodable>(_ type: Content.Type, forKey key: Key) throws -> Content {
        try shape.decode(type) { shape.note($0, for: key) }
    }

    func decodeIfPresent<Content: Decodable>(_ type: Content.Type, forKey key: Key) throws -> Content? {
        shape.note(shape.search.find(type).tree, for: key)
        return nil
    }

    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        try shape.decode(type) { shape.note($0, for: key) }
    }

    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try shape.decode(type) { shape.note($0, for: key) }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Nested> {
        nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { nested(key).unkeyedContainer() }

    func superDecoder() -> any Decoder {
        shape.note(.unknown, for: PathKey.super)
        return shape.nested()
    }

    func superDecoder(forKey key: Key) -> any Decoder { nested(key) }

    private func nested(_ key: Key) -> CodingShape {
        shape.note(.unknown, for: key)
        return shape.nested()
    }
}

/// An unkeyed container with one element, or without elements. It records the type of the element. A type can use the
/// decoder in another way before, so the container counts its elements itself.
private struct ShapeElements: UnkeyedDecodingContainer {
    let shape: CodingShape
    /// The number of decoded elements and of nested containers.
    private(set) var currentIndex = 0

    init(shape: CodingShape) { self.shape = shape }

    var codingPath: [any CodingKey] { [] }
    var count: Int? { nil }
    var isAtEnd: Bool { shape.isEmpty || currentIndex > 0 }

    func decodeNil() -> Bool { false }

    mutating func decode<Content: Decodable>(_ type: Content.Type) throws -> Content { try decodeNext(type) }

    // Without these overloads, the compiler would choose the standard library's defaults, which throw.
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try decodeNext(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try decodeNext(type) }

    private mutating func decodeNext<Content: Decodable>(_ type: Content.Type) throws -> Content {
        guard !isAtEnd else { throw CodingShape.Rejected() }
        currentIndex += 1
        return try shape.decode(type) { shape.note($0) }
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedDecodingContainer<Nested> {
        nested().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { nested().unkeyedContainer() }

    mutating func superDecoder() -> any Decoder { nested() }

    private mutating func nested() -> CodingShape {
        currentIndex += 1
        return shape.nested()
    }
}
