import DataStoreCore
import DataStoreQueries
import UserProfileDomain

/// A search for the fields of a `Decodable` type. It decodes the type from placeholder values and records the coding
/// keys that the type uses.
///
/// If `init(from:)` of a type rejects all placeholders, the search ends early and may miss fields. In this case, a
/// schema accepts every field whose name is a valid coding key of the type, so that it does not reject a field that
/// exists.
enum FieldProbe {
    /// The maximum depth of nested types. The limit is necessary because types can be recursive.
    static let maximumLevel = 8

    /// The placeholders for text. A type that validates its text usually accepts at least two of them. The first
    /// element differs from its trimmed, lowercase and uppercase forms, so that a computed property is not mistaken for
    /// a stored one.
    static let texts = [
        " Zé/9\t", "a", "2000-01-01", "a@example.com", "130010", "01-01", "00000000-0000-0000-0000-000000000000",
        "https://example.com", "b", "2000-01-02", "b@example.com", "270000", "01-02",
        "00000000-0000-0000-0000-000000000001", "https://example.org",
    ]

    private static let samples: [Value] =
        [
            .integer(-1003), .integer(1), .integer(2), .real(-1.25), .real(1), .bool(false), .bool(true),
            .date(Timestamp(seconds: 1_003_017)), .date(Timestamp(seconds: 77_777_777)), .data([]), .data([1]),
        ] + texts.map(Value.string)

    /// Returns the fields that the records of a type can have, or `FieldTree.unknown` if the type does not decode a
    /// keyed container.
    static func fields(
        of type: any Decodable.Type, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) -> FieldTree {
        // A type that encodes as a single value is stored in a field with a reserved name.
        let tree = probed(type, userInfo)
        if case .record = tree { return tree }
        return .unknown
    }

    /// Returns the kind of value that stores an instance of a type, or `nil` if the kind is unknown.
    static func kind(of type: any Any.Type) -> FieldTree.Kind? {
        guard let type = type as? any Decodable.Type, case .value(let kind) = probed(type, [:]) else { return nil }
        return kind
    }

    /// Decodes a type from placeholders.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - varied: The field to vary, or `nil` to vary no field. It is decoded from the second placeholder that its
    ///     type accepts. If it refers to the elements of an array, the array is empty instead. Every other field is
    ///     decoded from the first placeholder that its type accepts.
    /// - Returns: The decoded value and the fields that queries can compare. The value is `nil` if the type rejects all
    ///   placeholders.
    static func sample<Content: Decodable>(
        of type: Content.Type, varying varied: QueryField? = nil
    ) -> (content: Content?, fields: [ProbedField]) {
        let budget = ProbedNode.Budget([:], varying: varied)
        let content = probe(type, level: 0, at: nil, budget).content
        return (content, budget.fields)
    }

    /// Returns the field of records that contains the id of an entity as an integer, or `nil` if the id is not an
    /// integer.
    static func integerIDField<Entity: Decodable & Identifiable & Sendable>(of type: Entity.Type) -> QueryField? {
        guard kind(of: Entity.ID.self) == .number else { return nil }
        let unknown = ""
        let name = EntitySamples(of: type).name(unknown) { ($0.id as? any FieldContent)?.operand }
        if name != unknown { return QueryField(parsing: name) }
        // An id that is not `FieldContent` usually has the coding key `id`.
        guard case .record(let fields, _, _) = fields(of: type), case .value(.number)? = fields["id"] else {
            return nil
        }
        return QueryField("id")
    }

    private static func probed<Content: Decodable>(
        _ type: Content.Type, _ userInfo: [CodingUserInfoKey: any Sendable]
    ) -> FieldTree {
        probe(type, level: 0, at: nil, ProbedNode.Budget(userInfo)).tree
    }

    /// Decodes a type from placeholders.
    ///
    /// - Returns: The structure of the stored values, and an instance of the type. The instance is `nil` if the type
    ///   rejects all placeholders.
    static func probe<Content: Decodable>(
        _ type: Content.Type, level: Int, at path: QueryField?, _ budget: ProbedNode.Budget
    ) -> (tree: FieldTree, content: Content?) {
        let found = found(type, level: level, at: path, budget)
        budget.note(found.content, at: path)
        return found
    }

    private static func found<Content: Decodable>(
        _ type: Content.Type, level: Int, at path: QueryField?, _ budget: ProbedNode.Budget
    ) -> (tree: FieldTree, content: Content?) {
        let isVaried = path != nil && path == budget.varied
        if let plain = type as? any PlainValue.Type { return probe(plain.init(plainValue:), \.plainValue, isVaried) }
        if let convertible = StandardCoding.of(type) ?? type as? any RecordValueConvertible.Type {
            let found: (tree: FieldTree, content: Content?) = probe(
                convertible.init(recordValue:), \.recordValue, isVaried)
            if found.content != nil { return found }
        }
        guard level < maximumLevel, budget.consume() else { return (.unknown, nil) }
        var tree = FieldTree.unknown
        var first: Content?
        for round in 0..<texts.count {
            let node = ProbedNode(round: round, level: level, budget: budget, at: path)
            let content = decoded(type, node)
            if content == nil { node.noteEarlyEnd() }
            if round == 0 || content != nil { tree = node.tree }
            // A type that decodes a single value may accept values of other kinds, too.
            if node.isRejectedValue, !(type is any RawRepresentable.Type) { tree = .unknown }
            // To vary a field, use the second value that its type accepts.
            if isVaried, node.isRejectedValue, content != nil, first == nil {
                first = content
                continue
            }
            if content != nil || !node.isRejectedValue { return (tree, content ?? substitute(for: type, node, false)) }
        }
        return (tree, first ?? substitute(for: type, nil, isVaried))
    }

    /// Finds the structure of the stored values of a type that `make` creates from one value. The search stops at the
    /// first placeholder that `make` accepts, or at the second one if `isVaried` is `true`.
    private static func probe<Form, Content>(
        _ make: (Value) -> Form?, _ value: (Form) -> Value?, _ isVaried: Bool
    ) -> (tree: FieldTree, content: Content?) {
        var found: (tree: FieldTree, content: Content?) = (.unknown, nil)
        for sample in samples {
            guard let form = make(sample) else { continue }
            let isSecond = found.content != nil
            found = (value(form).map(\.tree) ?? .unknown, form as? Content)
            if isSecond || !isVaried { break }
        }
        return found
    }

    private static func decoded<Content: Decodable>(_ type: Content.Type, _ node: ProbedNode) -> Content? {
        // An error only means that the type rejects the placeholders.
        do { return try Content(from: ProbingDecoder(node: node)) } catch { return nil }
    }

    /// Returns an instance of a type that rejects the placeholders: a case of an enum, or an empty array. Returns `nil`
    /// for any other type.
    private static func substitute<Content: Decodable>(
        for type: Content.Type, _ node: ProbedNode?, _ isVaried: Bool
    ) -> Content? {
        func first<Enum: CaseIterable>(_ type: Enum.Type) -> Any? {
            isVaried ? type.allCases.dropFirst().first ?? type.allCases.first : type.allCases.first
        }
        if let cases = type as? any CaseIterable.Type { return first(cases) as? Content }
        guard let node, node.isArray else { return nil }
        return decoded(
            type, ProbedNode(round: node.round, level: node.level, budget: node.budget, at: node.path, isEmpty: true))
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
        case .record: .unknown
        }
    }
}
