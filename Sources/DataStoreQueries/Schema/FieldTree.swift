/// The known fields of the records in a collection.
///
/// A schema uses it to reject the name of a field that no record has.
public indirect enum FieldTree: Sendable {
    /// The kinds of values that conditions compare with each other.
    public enum Kind: String, Sendable {
        /// A string.
        case text
        /// An integer or a real.
        case number
        /// A Boolean value.
        case bool
        /// A point in time.
        case date
        /// Bytes.
        case data
    }

    /// Nothing is known about the value.
    case unknown
    /// A value without fields; `nil` if its kind is unknown.
    case value(Kind?)
    /// A record with the given fields. `isComplete` is whether these are all of its fields. If `accepts` is not `nil`,
    /// the record may also have fields whose names this closure accepts.
    case record([String: FieldTree], isComplete: Bool = true, accepts: (@Sendable (String) -> Bool)? = nil)
    /// An array with elements of one kind.
    case array(FieldTree)

    /// Checks that a path can lead to values.
    ///
    /// - Parameters:
    ///   - field: The path.
    ///   - kind: The kind of the values; `nil` for any.
    ///   - isRecord: Whether the values are records. Otherwise a record is rejected.
    ///   - owner: The name of the record in the message.
    /// - Returns: A sentence with the reason, or `nil` if values are possible.
    func problem(with field: QueryField, _ kind: Kind?, isRecord: Bool, of owner: String) -> String? {
        var (tree, owner) = (self, owner)
        for step in field.steps {
            switch tree {
            case .unknown: return nil
            case .value, .array: return "\(owner) is not a record, so it has no field \(step.name)"
            case .record(let fields, let isComplete, let accepts):
                if let field = fields[step.name] {
                    tree = field
                } else if accepts?(step.name) == true {
                    return nil
                } else {
                    let names = fields.isEmpty ? "no fields" : fields.keys.sorted().joined(separator: ", ")
                    return "\(owner) has no field \(step.name); it has \(names)\(isComplete ? "" : " and others")"
                }
                owner += ".\(step.name)"
            }
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
