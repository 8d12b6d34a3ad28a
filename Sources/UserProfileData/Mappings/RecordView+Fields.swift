public import DataStoreCore

extension RecordView {
    /// Returns the content of a field, or `nil` if the record has no such field.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - kind: A closure that extracts the content of a value, e.g. `\.string`. It returns `nil` if the value is of
    ///     another kind.
    /// - Returns: The content, or `nil` if the record has no such field.
    /// - Throws: An error that names the field if the value is of another kind. `DataStoreError` if the record cannot
    ///   be read.
    public func optional<Content>(
        _ name: String, _ kind: (Value) -> Content?
    ) throws -> Content? {
        guard let value = try value(of: name) else { return nil }
        guard let content = kind(value) else { throw FieldError(name, "is of the kind \(value.kind)") }
        return content
    }

    /// Returns the content of a field that every record must have.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - kind: A closure that extracts the content of a value, e.g. `\.string`. It returns `nil` if the value is of
    ///     another kind.
    /// - Returns: The content.
    /// - Throws: An error that names the field if the field is missing or its value is of another kind.
    ///   `DataStoreError` if the record cannot be read.
    public func required<Content>(
        _ name: String, _ kind: (Value) -> Content?
    ) throws -> Content {
        guard let content = try optional(name, kind) else { throw FieldError(name, "is missing") }
        return content
    }

    /// Returns the content of a field after a conversion, or `nil` if the record has no such field.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - kind: A closure that extracts the content of a value, e.g. `\.string`. It returns `nil` if the value is of
    ///     another kind.
    ///   - make: A closure that converts the content, e.g. `MailAddress.init`.
    /// - Returns: The result of `make`, or `nil` if the record has no such field.
    /// - Throws: An error that names the field if the value is of another kind or `make` throws. `DataStoreError` if
    ///   the record cannot be read.
    package func optional<Content, Result>(
        _ name: String, _ kind: (Value) -> Content?, as make: (consuming Content) throws -> Result
    ) throws -> Result? {
        guard let content = try optional(name, kind) else { return nil }
        do {
            return try make(consume content)
        } catch {
            throw FieldError(name, "is rejected: \(error)", underlying: error)
        }
    }

    /// Returns the content of a field that every record must have, after a conversion.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - kind: A closure that extracts the content of a value, e.g. `\.string`. It returns `nil` if the value is of
    ///     another kind.
    ///   - make: A closure that converts the content, e.g. `CalendarDate.init`.
    /// - Returns: The result of `make`.
    /// - Throws: An error that names the field if the field is missing, its value is of another kind, or `make` throws.
    ///   `DataStoreError` if the record cannot be read.
    package func required<Content, Result>(
        _ name: String, _ kind: (Value) -> Content?, as make: (consuming Content) throws -> Result
    ) throws -> Result {
        guard let result = try optional(name, kind, as: make) else { throw FieldError(name, "is missing") }
        return result
    }
}
