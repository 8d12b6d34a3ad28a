import DataStoreCore
import DataStoreQueries

/// A search for the fields of a `Decodable` type. It decodes the type from placeholder values and records the coding
/// keys that the type uses.
///
/// If `init(from:)` of a type rejects all placeholders, the search ends early and may miss fields. A field is then
/// accepted if the type of the coding keys accepts its name, so that no valid field is rejected.
enum FieldProbe {
    /// The maximum depth of nested types. The limit is necessary because types can be recursive.
    static let maximumLevel = 8

    /// The placeholders for strings. A type that validates strings usually accepts one of them.
    static let texts = [
        "a", "2000-01-01", "a@example.com", "130010", "01-01", "00000000-0000-0000-0000-000000000000",
        "https://example.com",
    ]

    private static let samples: [Value] =
        [.integer(1), .real(1), .bool(false), .date(Timestamp(seconds: 0)), .data([])] + texts.map(Value.string)

    /// Returns the fields that the records of a type can have.
    static func fields(
        of type: any Decodable.Type, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) -> FieldTree {
        // A type that encodes as a single value is stored in a field with a reserved name.
        let tree = probed(type, userInfo)
        if case .record = tree { return tree }
        return .unknown
    }

    /// Returns the kind of value as which a type is stored, or `nil` if the kind is unknown.
    static func kind(of type: any Any.Type) -> FieldTree.Kind? {
        guard let type = type as? any Decodable.Type, case .value(let kind) = probed(type, [:]) else { return nil }
        return kind
    }

    private static func probed<Content: Decodable>(
        _ type: Content.Type, _ userInfo: [CodingUserInfoKey: any Sendable]
    ) -> FieldTree {
        probe(type, level: 0, ProbedNode.Budget(userInfo)).tree
    }

    /// Decodes a type from placeholders.
    ///
    /// - Returns: The structure of its stored values, and an instance, or `nil` if the type rejects all placeholders.
    static func probe<Content: Decodable>(
        _ type: Content.Type, level: Int, _ budget: ProbedNode.Budget
    ) -> (tree: FieldTree, content: Content?) {
        if let plain = type as? any PlainValue.Type { return probe(plain.init(plainValue:), \.plainValue) }
        if let convertible = StandardCoding.of(type) ?? type as? any RecordValueConvertible.Type {
            let found: (tree: FieldTree, content: Content?) = probe(convertible.init(recordValue:), \.recordValue)
            if found.content != nil { return found }
        }
        guard level < maximumLevel, budget.consume() else { return (.unknown, nil) }
        var tree = FieldTree.unknown
        for round in 0..<texts.count {
            let node = ProbedNode(round: round, level: level, budget: budget)
            let content = decoded(type, node)
            if content == nil { node.noteEarlyEnd() }
            if round == 0 || content != nil { tree = node.tree }
            // A type that decodes a single value may accept values of other kinds, too.
            if node.isRejectedValue, !(type is any RawRepresentable.Type) { tree = .unknown }
            if content != nil || !node.isRejectedValue { return (tree, content ?? substitute(for: type, node)) }
        }
        return (tree, substitute(for: type, nil))
    }

    /// Finds the kind of value as which a type is stored that is created from a single value.
    private static func probe<Form, Content>(
        _ make: (Value) -> Form?, _ value: (Form) -> Value?
    ) -> (tree: FieldTree, content: Content?) {
        for sample in samples {
            guard let form = make(sample) else { continue }
            return (value(form).map(\.tree) ?? .unknown, form as? Content)
        }
        return (.unknown, nil)
    }

    private static func decoded<Content: Decodable>(_ type: Content.Type, _ node: ProbedNode) -> Content? {
        // An error only means that the type rejects the placeholders.
        do { return try Content(from: ProbingDecoder(node: node)) } catch { return nil }
    }

    /// Returns an instance of a type that rejects the placeholders: the first case of an enum, or an empty array.
    private static func substitute<Content: Decodable>(for type: Content.Type, _ node: ProbedNode?) -> Content? {
        func first<Enum: CaseIterable>(_ type: Enum.Type) -> Any? { type.allCases.first }
        if let cases = type as? any CaseIterable.Type { return first(cases) as? Content }
        guard let node, node.isArray else { return nil }
        return decoded(type, ProbedNode(round: node.round, level: node.level, budget: node.budget, isEmpty: true))
    }
}

extension Value {
    /// The structure of stored values of this kind.
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
