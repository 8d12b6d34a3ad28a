public import DataStoreCore

extension RecordView {
    /// The value of a field, or nil where the record has none.
    ///
    /// - Parameters:
    ///   - name: the name of the field.
    ///   - kind: takes the value out of its kind, e.g. `\.string`.
    /// - Returns: the content, or nil where there is no such field.
    /// - Throws: ``FieldError`` where it is of another kind.
    public func optional<Content>(
        _ name: String, _ kind: (Value) -> Content?
    ) throws -> Content? {
        guard let value = try value(of: name) else { return nil }
        guard let content = kind(value) else { throw FieldError(name, "is of the kind \(value.kind)") }
        return content
    }

    /// The value of a field.
    ///
    /// - Parameters:
    ///   - name: the name of the field.
    ///   - kind: takes the value out of its kind, e.g. `\.string`.
    /// - Returns: the content.
    /// - Throws: ``FieldError`` where there is none or it is of another kind.
    public func required<Content>(
        _ name: String, _ kind: (Value) -> Content?
    ) throws -> Content {
        guard let content = try optional(name, kind) else { throw FieldError(name, "is missing") }
        return content
    }

    /// What is made of the value of a field, or nil where the record has none.
    ///
    /// - Parameters:
    ///   - name: the name of the field.
    ///   - kind: takes the value out of its kind, e.g. `\.string`.
    ///   - make: makes something of the content, e.g. `MailAddress.init`.
    /// - Returns: what was made, or nil where there is no such field.
    /// - Throws: ``FieldError`` where it is of another kind, or is refused.
    public func optional<Content, Result>(
        _ name: String, _ kind: (Value) -> Content?, as make: (Content) throws -> Result
    ) throws -> Result? {
        guard let content = try optional(name, kind) else { return nil }
        do {
            return try make(content)
        } catch {
            throw FieldError(name, "is rejected: \(error)", underlying: error)
        }
    }

    /// What is made of the value of a field.
    ///
    /// - Parameters:
    ///   - name: the name of the field.
    ///   - kind: takes the value out of its kind, e.g. `\.string`.
    ///   - make: makes something of the content, e.g. `CalendarDate.init`.
    /// - Returns: what was made.
    /// - Throws: ``FieldError`` where there is none, it is of another kind, or is refused.
    public func required<Content, Result>(
        _ name: String, _ kind: (Value) -> Content?, as make: (Content) throws -> Result
    ) throws -> Result {
        guard let result = try optional(name, kind, as: make) else { throw FieldError(name, "is missing") }
        return result
    }
}
