package import DataStoreCore

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

extension RecordView {
    /// Returns the value at the end of a path that leads through no array.
    func value(at field: QueryField) throws(DataStoreError) -> Value? {
        guard let first = field.steps.first, let value = try value(of: first.name) else { return nil }
        return Record(ordered: [Record.Field(name: first.name, value: value)]).value(at: field)
    }
}

extension Record {
    /// Returns the value at the end of a path that leads through no array.
    package func value(at field: QueryField) -> Value? {
        guard field.steps.count > 1 else { return field.steps.first.flatMap { self[$0.name] } }
        var value = Value.record(self)
        for step in field.steps {
            guard case .record(let record) = value, let next = record[step.name] else { return nil }
            value = next
        }
        return value
    }

    /// Replaces the value at the end of a path that leads through no array. `nil` removes the value. If the nested
    /// record that contains the field is missing, nothing changes.
    package mutating func replaceValue(at field: QueryField, by value: Value?) {
        guard let last = field.steps.last else { return }
        if field.steps.count == 1 {
            self[last.name] = value
        } else {
            self = changing(field.steps.dropLast()) { $0[last.name] = value }
        }
    }

    /// Returns a copy of the record in which each nested record at the end of a path is changed.
    func changing(
        _ path: ArraySlice<QueryField.Step>, _ body: (inout Record) throws -> Void
    ) rethrows -> Record {
        var changed = self
        guard let step = path.first else {
            try body(&changed)
            return changed
        }
        switch self[step.name] {
        case .array(var elements)? where step.isEach:
            for index in elements.indices {
                guard case .record(let record) = elements[index] else { continue }
                elements[index] = .record(try record.changing(path.dropFirst(), body))
            }
            changed[step.name] = .array(elements)
        case .record(let record)? where !step.isEach:
            changed[step.name] = .record(try record.changing(path.dropFirst(), body))
        default: break
        }
        return changed
    }
}
