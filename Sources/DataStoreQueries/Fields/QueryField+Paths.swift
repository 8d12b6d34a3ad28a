import DataStoreCore

extension QueryField {
    /// Returns this field without the prefix `path`, as a field of the nested records at the end of `path`. Returns
    /// `nil` if `path` is not a proper prefix of this path.
    func part(after path: QueryField) -> QueryField? {
        guard path.transform == nil, !path.isID, path.steps.count < steps.count, steps.starts(with: path.steps)
        else { return nil }
        return QueryField(Array(steps.dropFirst(path.steps.count)), transform)
    }

    /// Returns the field with another name at the end of its path.
    func renamed(_ name: String) -> QueryField {
        QueryField(steps.dropLast() + [Step(name: name, isEach: false)])
    }

    /// Returns this path after the field at the end of another path has been renamed, or `nil` if this path does not
    /// lead through that field.
    func renaming(_ old: QueryField, to new: QueryField) -> QueryField? {
        guard steps.starts(with: old.steps) else { return nil }
        return QueryField(new.steps + steps.dropFirst(old.steps.count))
    }

    /// Returns whether the path leads to a value within the value at the end of another path.
    package func isWithin(_ other: QueryField) -> Bool {
        guard steps.count >= other.steps.count, let last = other.steps.last else { return false }
        let (parents, end) = (other.steps.dropLast(), steps[other.steps.count - 1])
        return steps.starts(with: parents) && end.name.hasSameBytes(as: last.name)
            && (steps.count > other.steps.count || end.isEach)
    }
}
