/// A field of a record that is not what a mapping expects, or of an entity that no record can hold.
public struct FieldError: Error, CustomStringConvertible {
    /// The name of the field, or the path to it, e.g. `address.lines[2]`; empty for the whole record.
    package let name: String

    /// What is wrong with it.
    package let reason: String

    /// The error that caused this one, where there was one.
    package let underlying: (any Error)?

    /// Describes what is wrong with a field.
    ///
    /// - Parameters:
    ///   - name: the name of the field.
    ///   - reason: what is wrong with it.
    ///   - underlying: the error that caused this one.
    package init(_ name: String, _ reason: String, underlying: (any Error)? = nil) {
        self.name = name
        self.reason = reason
        self.underlying = underlying
    }

    /// One sentence.
    public var description: String { name.isEmpty ? "the record \(reason)" : "the field \(name) \(reason)" }
}
