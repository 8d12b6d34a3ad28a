/// An error which states that a field of a record cannot be decoded, or that a property of an entity cannot be encoded.
@usableFromInline
package struct FieldError: Error, CustomStringConvertible {
    /// The name or path of the field, e.g. `address.lines[2]`. It is empty if the error concerns the whole record.
    package let name: String

    /// The reason as a clause that follows the name of the field, e.g. `is missing`.
    package let reason: String

    /// The error that caused this one, or `nil` if there is no other cause.
    package let underlying: (any Error)?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - name: The name or path of the field, or the empty string for the whole record.
    ///   - reason: The reason as a clause that follows the name of the field, e.g. `is missing`.
    ///   - underlying: The error that caused this one, or `nil` if there is no other cause.
    @usableFromInline
    package init(_ name: String, _ reason: String, underlying: (any Error)? = nil) {
        self.name = name
        self.reason = reason
        self.underlying = underlying
    }

    /// One sentence that states the field and the reason.
    @usableFromInline
    package var description: String { name.isEmpty ? "the record \(reason)" : "the field \(name) \(reason)" }
}
