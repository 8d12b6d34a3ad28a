/// The fields that records of a collection can have, as far as they are known.
///
/// A schema uses it to reject the name of a field that no record has.
public indirect enum FieldTree: Hashable, Sendable {
    /// Nothing is known about the value.
    case unknown
    /// A value without fields.
    case value
    /// A record with exactly these fields.
    case record([String: FieldTree])
    /// An array with elements of one kind.
    case array(FieldTree)

    /// Returns why a path cannot lead to a value.
    ///
    /// - Parameters:
    ///   - steps: The path.
    ///   - owner: What has the fields, for the message.
    /// - Returns: A sentence, or `nil` if the path is possible.
    func problem(with steps: [QueryField.Step], of owner: String) -> String? {
        var (tree, owner) = (self, owner)
        for (index, step) in steps.enumerated() {
            switch tree {
            case .unknown: return nil
            case .value, .array: return "\(owner) is not a record, so it has no field \(step.name)"
            case .record(let fields):
                guard let field = fields[step.name] else {
                    let names = fields.isEmpty ? "no fields" : fields.keys.sorted().joined(separator: ", ")
                    return "\(owner) has no field \(step.name); it has \(names)"
                }
                owner = index == 0 ? step.name : "\(owner).\(step.name)"
                tree = field
            }
            switch (tree, step.isEach) {
            case (.array(let element), true): tree = element
            case (.array, false):
                return "\(owner) is an array; declare an index of its elements with \(owner)[]"
            case (.value, true), (.record, true): return "\(owner) is not an array; declare it without []"
            default: break
            }
        }
        if case .record = tree {
            return "\(owner) is a record; declare an index of one of its fields, e.g. \(owner).name"
        }
        return nil
    }
}
