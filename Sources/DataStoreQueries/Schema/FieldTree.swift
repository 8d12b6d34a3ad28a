/// The fields that the records of a collection can have, if the library knows them.
///
/// ```swift
/// let trip = FieldTree.record(["title": .value(.text), "tags": .array(.value(.text))])
/// let trips = Schema.Collection("trips", indexes: [.on("title")], fields: trip)
/// ```
///
/// A ``Schema`` uses it to reject an index or a query that uses a field that no record can have.
public indirect enum FieldTree: Sendable {
    /// A kind of value. Conditions compare only values of the same kind.
    ///
    /// ```swift
    /// let price = FieldTree.value(.number)  // \.price == "9.50" is an error
    /// ```
    public enum Kind: String, Sendable {
        /// Strings.
        case text
        /// Integers and reals.
        case number
        /// Boolean values.
        case bool
        /// Points in time.
        case date
        /// Sequences of bytes.
        case data
    }

    /// A value of unknown structure.
    case unknown
    /// A value without fields. Its kind is `nil` if it is unknown.
    case value(Kind?)
    /// A record with the given fields. If `accepts` is not `nil`, the record may also have fields whose names this
    /// closure accepts. `isComplete` affects only the message about a rejected field. If `isComplete` is `false`, the
    /// message states that the record has further fields.
    case record([String: FieldTree], isComplete: Bool = true, accepts: (@Sendable (String) -> Bool)? = nil)
    /// An array whose elements have the given structure.
    case array(FieldTree)

    /// Validates that a record can have values at the end of a path.
    ///
    /// - Parameters:
    ///   - field: The path to validate.
    ///   - kind: The expected kind of the values, or `nil` for any kind.
    ///   - isRecord: Whether the values are expected to be records.
    ///   - owner: The name of the record for the message, e.g. `Trip`.
    /// - Returns: A sentence with the reason why the path is invalid, or `nil` if it is valid.
    func problem(with field: QueryField, _ kind: Kind?, isRecord: Bool, of owner: String) -> String? {
        var (tree, owner) = (self, owner)
        for step in field.steps {
            guard let part = tree.part(step.name) else {
                guard let names = tree.fieldNames else {
                    return "\(owner) is not a record, so it has no field \(step.name)"
                }
                return "\(owner) has no field \(step.name); it has \(names)"
            }
            tree = part
            owner += ".\(step.name)"
            switch (tree, step.isEach) {
            case (.array(let element), true): tree = element
            case (.array, false): return "\(owner) is an array; name its elements with \(step.name)[]"
            case (.value, true), (.record, true): return "\(owner) is not an array; name it without []"
            default: break
            }
        }
        switch tree {
        case .record where !isRecord: return "\(owner) is a record; name one of its fields"
        case .value(let stored?) where isRecord: return "\(owner) is stored as \(stored), not as a record"
        case .value(let stored?):
            guard let kind, kind != stored else { return nil }
            return "\(owner) is stored as \(stored), but compared with \(kind)"
        default: return nil
        }
    }
}

extension FieldTree {
    /// Returns whether a record can have a field at the end of a path.
    package func hasField(_ field: QueryField) -> Bool {
        field.steps.reduce(FieldTree?.some(self)) { $0?.part($1.name) } != nil
    }

    /// The names of the fields of a record, for messages. It is `nil` if the value is not a record.
    var fieldNames: String? {
        guard case .record(let fields, let isComplete, _) = self else { return nil }
        return (fields.isEmpty ? "no fields" : fields.keys.sorted().joined(separator: ", "))
            + (isComplete ? "" : " and others")
    }

    /// Returns the structure of a field of the record, or `nil` if it has no such field.
    private func part(_ name: String) -> FieldTree? {
        switch self {
        case .unknown: .unknown
        case .value, .array: nil
        case .record(let fields, _, let accepts): fields[name] ?? (accepts?(name) == true ? .unknown : nil)
        }
    }
}
