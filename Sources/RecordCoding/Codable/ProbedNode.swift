import DataStoreQueries

/// The coding keys and values that a ``FieldProbe`` has found for one type.
final class ProbedNode {
    private enum Part {
        case tree(FieldTree)
        case node(ProbedNode)

        var tree: FieldTree {
            switch self {
            case .tree(let tree): tree
            case .node(let node): node.tree
            }
        }
    }

    /// A limit on the number of decoded types. It bounds the work for types that contain each other in many ways.
    final class Budget {
        let userInfo: [CodingUserInfoKey: any Sendable]
        private var remaining = 10_000

        init(_ userInfo: [CodingUserInfoKey: any Sendable]) { self.userInfo = userInfo }

        /// Returns whether another type may be decoded, and counts it.
        func consume() -> Bool {
            remaining -= 1
            return remaining >= 0
        }
    }

    /// The index of the string that serves as the placeholder for strings.
    let round: Int
    let level: Int
    let budget: Budget
    /// Whether placeholder arrays are empty. Otherwise they have one element.
    let isEmpty: Bool
    private(set) var isArray = false
    private var isKeyed = false
    private var isComplete = true
    private var value: FieldTree?
    private var element: Part?
    private var fields: [String: Part] = [:]
    private var accepts: [@Sendable (String) -> Bool] = []

    init(round: Int, level: Int, budget: Budget, isEmpty: Bool = false) {
        self.round = round
        self.level = level
        self.budget = budget
        self.isEmpty = isEmpty
    }

    /// Whether the type decoded only a single value. If it rejected the value, another placeholder may be accepted.
    var isRejectedValue: Bool { value != nil && !isKeyed && !isArray }

    var tree: FieldTree {
        if isKeyed {
            let accepts = accepts
            return .record(fields.mapValues(\.tree), isComplete: isComplete) { field in
                CodedName.key(of: field).map { name in accepts.contains { $0(name) } } ?? false
            }
        }
        if isArray { return .array(element?.tree ?? .unknown) }
        return value ?? .unknown
    }

    func noteKeys<Key: CodingKey>(_ type: Key.Type) {
        isKeyed = true
        accepts.append { Key(stringValue: $0) != nil }
    }

    /// Records that the type rejected a placeholder. It may then have more keys than were found.
    func noteEarlyEnd() { isComplete = false }

    func noteArray() { isArray = true }

    func note(_ tree: FieldTree, for key: any CodingKey) { fields[CodedName.field(of: key)] = .tree(tree) }

    func noteElement(_ tree: FieldTree) { element = .tree(tree) }

    func noteValue(_ tree: FieldTree) { value = tree }

    /// Whether a nested type may be decoded. The limit is necessary because types can contain themselves.
    var canContinue: Bool { level < FieldProbe.maximumLevel && budget.consume() }

    /// Creates a node for a type that is nested in this one.
    func nested(_ key: (any CodingKey)?) -> ProbedNode {
        let node = ProbedNode(round: round, level: level + 1, budget: budget, isEmpty: isEmpty)
        if let key { fields[CodedName.field(of: key)] = .node(node) } else { element = .node(node) }
        return node
    }
}
