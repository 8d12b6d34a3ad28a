/// An error in a field of a record that a mapping cannot decode, or in an entity that it cannot encode.
package struct FieldError: Error, CustomStringConvertible {
    /// The name or path of the field, e.g. `address.lines[2]`; empty for the whole record.
    package let name: String

    /// The reason, as the end of a sentence.
    package let reason: String

    /// The error that caused this one, if there is one.
    package let underlying: (any Error)?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - name: The name or path of the field.
    ///   - reason: The reason, as the end of a sentence.
    ///   - underlying: The error that caused this one.
    package init(_ name: String, _ reason: String, underlying: (any Error)? = nil) {
        self.name = name
        self.reason = reason
        self.underlying = underlying
    }

    /// One sentence: the field and the reason.
    package var description: String { name.isEmpty ? "the record \(reason)" : "the field \(name) \(reason)" }
}
