/// A single value of a program that ``Settings`` keep under a name, with what it is where none is kept.
///
/// ```swift
/// extension Field<Int> {
///     static let launches = Field("launches", default: 0)
/// }
/// ```
public struct Field<Content: Codable & Sendable>: Sendable {
    /// The name that the value is kept under: not empty, and another one for each field.
    public let name: String

    /// The value where none is kept. It is never written.
    public let defaultValue: Content

    /// Describes a field.
    ///
    /// - Parameters:
    ///   - name: the name that the value is kept under.
    ///   - defaultValue: the value where none is kept.
    public init(_ name: String, default defaultValue: Content) {
        self.name = name
        self.defaultValue = defaultValue
    }
}

extension Field where Content: ExpressibleByNilLiteral {
    /// Describes a field that is nil where nothing is kept.
    ///
    /// - Parameter name: the name that the value is kept under.
    public init(_ name: String) { self.init(name, default: nil) }
}
