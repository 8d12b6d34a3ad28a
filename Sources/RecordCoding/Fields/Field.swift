/// The declaration of a single value that ``Settings`` stores: its name, its type and its default.
///
/// ```swift
/// extension Field<Int> {
///     static let launches = Field("launches", default: 0)
/// }
/// ```
public struct Field<Content: Codable & Sendable>: Sendable {
    /// The name under which the value is stored. It must not be empty, and no other field may have the same name.
    public let name: String

    /// The value that a read returns if no value is stored. The default itself is never stored.
    package let defaultValue: Content

    /// Creates a field with a default, e.g. `Field("launches", default: 0)`.
    ///
    /// - Parameters:
    ///   - name: The name under which the value is stored. Do not change it later.
    ///   - defaultValue: The value that a read returns if no value is stored.
    public init(_ name: String, default defaultValue: Content) {
        self.name = name
        self.defaultValue = defaultValue
    }
}

extension Field where Content: ExpressibleByNilLiteral {
    /// Creates a field whose default is `nil`.
    ///
    /// - Parameter name: The name under which the value is stored.
    public init(_ name: String) { self.init(name, default: nil) }
}
