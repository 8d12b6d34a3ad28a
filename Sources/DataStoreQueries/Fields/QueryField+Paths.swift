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
        change(field.steps.dropLast()) { $0[last.name] = value }
    }

    /// Replaces the values of a field of this record: the value of the field, or each element of its array. `nil`
    /// removes the value.
    mutating func changeValues(of step: QueryField.Step, _ change: (Value) throws -> Value?) rethrows {
        guard let value = self[step.name] else { return }
        if !step.isEach {
            self[step.name] = try change(value)
        } else if case .array(let elements) = value {
            self[step.name] = .array(try elements.compactMap(change))
        }
    }

    /// Changes each nested record at the end of a path.
    mutating func change(
        _ path: ArraySlice<QueryField.Step>, _ body: (inout Record) throws -> Void
    ) rethrows {
        guard let step = path.first else { return try body(&self) }
        switch self[step.name] {
        case .array(var elements)? where step.isEach:
            for index in elements.indices {
                guard case .record(var record) = elements[index] else { continue }
                try record.change(path.dropFirst(), body)
                elements[index] = .record(record)
            }
            self[step.name] = .array(elements)
        case .record(var record)? where !step.isEach:
            try record.change(path.dropFirst(), body)
            self[step.name] = .record(record)
        default: break
        }
    }
}
