import DataStoreQueries
import UserProfileDomain

/// A field that a ``FieldProbe`` has found: a field that queries can compare, or the elements of an array.
struct ProbedField: Sendable {
    /// The path of the field in a record.
    let field: QueryField
    /// The type of the field's content. If the field is an array, it is the type of the elements.
    let type: any Any.Type
    /// The operand of the content that was decoded from a placeholder. It is `nil` if the type is not a `FieldContent`
    /// or rejects all placeholders.
    let operand: Operand?
}

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

    /// The state that all nodes of one search share. It limits the number of decoded types, which bounds the work for
    /// types that contain each other in many ways.
    final class Budget {
        let userInfo: [CodingUserInfoKey: any Sendable]
        /// The field that is decoded from its second placeholder, or `nil` if no field is.
        let varied: QueryField?
        private(set) var fields: [ProbedField] = []
        private var indexes: [QueryField: Int] = [:]
        private var remaining = 10_000

        init(_ userInfo: [CodingUserInfoKey: any Sendable], varying varied: QueryField? = nil) {
            self.userInfo = userInfo
            self.varied = varied
        }

        /// Records the field at a path if queries can compare its values, or if the path refers to the elements of an
        /// array. Other values are ignored.
        func note<Content>(_ content: Content?, at path: QueryField?) {
            guard let path, Content.self is any FieldContent.Type || path.isArrayElements else { return }
            let field = ProbedField(field: path, type: Content.self, operand: (content as? any FieldContent)?.operand)
            if let index = indexes[path] {
                fields[index] = field
            } else {
                indexes[path] = fields.count
                fields.append(field)
            }
        }

        /// Deducts one type from the budget. Returns `false` if the budget is exhausted. The caller then must not
        /// decode the type.
        func consume() -> Bool {
            remaining -= 1
            return remaining >= 0
        }
    }

    /// The index of the placeholder for strings in ``FieldProbe/texts``.
    let round: Int
    let level: Int
    let budget: Budget
    /// The path of the value in a record, or `nil` for the whole entity.
    let path: QueryField?
    /// Whether placeholder arrays are empty. Otherwise they have one element.
    let isEmpty: Bool
    private(set) var isArray = false
    private var isKeyed = false
    private var isComplete = true
    private var value: FieldTree?
    private var element: Part?
    private var fields: [String: Part] = [:]
    private var accepts: [@Sendable (String) -> Bool] = []

    init(round: Int, level: Int, budget: Budget, at path: QueryField?, isEmpty: Bool = false) {
        self.round = round
        self.level = level
        self.budget = budget
        self.path = path
        self.isEmpty = isEmpty || path.map { $0.elements == budget.varied } ?? false
    }

    /// Whether the type has decoded only a single value, and neither a keyed nor an unkeyed container. If such a type
    /// rejects the placeholder, it may accept another one.
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

    /// Records that decoding ended early, because the type rejected a placeholder. The type may have more keys than
    /// were found.
    func noteEarlyEnd() { isComplete = false }

    func noteArray() { isArray = true }

    func note(_ tree: FieldTree, for key: any CodingKey) { fields[CodedName.field(of: key)] = .tree(tree) }

    func noteElement(_ tree: FieldTree) { element = .tree(tree) }

    func noteValue(_ tree: FieldTree) { value = tree }

    /// Whether a nested type may be decoded. Reading this property deducts one type from the budget. The depth and the
    /// number of nested types are limited, because a type can contain itself.
    var canContinue: Bool { level < FieldProbe.maximumLevel && budget.consume() }

    /// Returns the path of a field of this value.
    func path(of key: any CodingKey) -> QueryField {
        let name = CodedName.field(of: key)
        return path?.part(name) ?? QueryField(name)
    }

    /// Creates a node for a type that is nested in this one.
    func nested(_ key: (any CodingKey)?) -> ProbedNode {
        let path = key.map(path(of:)) ?? path?.elements
        let node = ProbedNode(round: round, level: level + 1, budget: budget, at: path, isEmpty: isEmpty)
        if let key { fields[CodedName.field(of: key)] = .node(node) } else { element = .node(node) }
        return node
    }
}
