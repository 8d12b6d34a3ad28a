/// A single value with a name and a default, stored in ``Settings``.
///
/// ```swift
/// extension Field<Int> {
///     static let launches = Field("launches", default: 0)
/// }
/// ```
public struct Field<Content: Codable & Sendable>: Sendable {
    /// The name of the stored value. It is not empty, and each field has its own.
    public let name: String

    /// The value that is returned if none is stored. It is never stored itself.
    package let defaultValue: Content

    /// Creates a field.
    ///
    /// - Parameters:
    ///   - name: The name of the stored value.
    ///   - defaultValue: The value that is returned if none is stored.
    public init(_ name: String, default defaultValue: Content) {
        self.name = name
        self.defaultValue = defaultValue
    }
}

extension Field where Content: ExpressibleByNilLiteral {
    /// Creates a field whose default is `nil`.
    ///
    /// - Parameter name: The name of the stored value.
    public init(_ name: String) { self.init(name, default: nil) }
}
