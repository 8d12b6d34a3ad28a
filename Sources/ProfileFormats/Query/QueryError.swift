/// An error which states that a condition or a sort that a person typed is invalid.
///
/// ```swift
/// do {
///     let filter = try Filter<User>(parsing: "birthday < 1990-13-01")
/// } catch {
///     print(error)
///     // "1990-13-01" is not a birthday: a month is 01 to 12 (at byte 5)
///     //   birthday < 1990-13-01
///     //              ^
/// }
/// ```
public struct QueryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error as three lines, for display in a fixed-width font: the reason, the part of the query around the error,
    /// and a mark below the error. Characters that could control a terminal are replaced.
    public let description: String

    /// Whether the reason is an invalid value of a field. It is `false` for any other reason, e.g. invalid syntax.
    package let isBadValue: Bool

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - reason: The reason as a sentence.
    ///   - text: The whole query.
    ///   - column: The position of the error, in Unicode scalars from the start of the query.
    ///   - isBadValue: Whether the reason is an invalid value of a field.
    init(_ reason: String, in text: String, at column: Int, isBadValue: Bool = false) {
        // The part of the query around the error is printed on one line. Line breaks and control characters in it would
        // move the mark to another position.
        let scalars = text.unicodeScalars
        let position =
            scalars.index(scalars.startIndex, offsetBy: column, limitedBy: scalars.endIndex)
            ?? scalars.endIndex
        let before = scalars[..<position].suffix(QueryError.excerptCount)
        let after = scalars[position...].prefix(QueryError.excerptCount)
        let beginning = (before.startIndex > scalars.startIndex ? "…" : "") + QueryError.oneLine(before)
        let end = QueryError.oneLine(after) + (after.endIndex < scalars.endIndex ? "…" : "")
        let indentation = String(repeating: " ", count: beginning.displayWidth)
        description = "\(reason)\n  \(beginning)\(end)\n  \(indentation)^"
        self.isBadValue = isBadValue
    }

    /// The number of Unicode scalars of the query that a message shows before and after the error.
    private static let excerptCount = 80

    private static func oneLine(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var line = String.UnicodeScalarView()
        for scalar in scalars { line.append(scalar.properties.isWhitespace ? " " : scalar) }
        return String(line).printable
    }
}
