extension Settings {
    /// Returns a sequence of the value of a field: first the current value, then the new value after each change.
    ///
    /// ```swift
    /// for try await theme in settings.updates(of: .theme) { apply(theme) }
    /// ```
    ///
    /// - Parameter field: The field to observe.
    /// - Returns: The sequence. Its elements are the values that ``subscript(_:)`` returns. Changes to other fields are
    ///   skipped.
    public func updates<Content>(of field: Field<Content>) -> Updates<Content> {
        Updates(returning: { $0.content }) {
            // If no value is stored or registered, the value is `nil` and the content is the default of the field.
            RecordUpdates<(value: Value?, content: Content)>(store, [.key(record.key)]) { first, second in
                first.value == second.value || isEqual(first.content, second.content)
            } _: { _, transaction in
                let value = try record.value(of: field.name, in: transaction)
                return (value, try record.content(of: field, decoding: value))
            }
        }
    }
}
