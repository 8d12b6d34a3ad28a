/// An error in a query that a user typed, and its position.
struct QueryError: Error {
    let message: String

    /// Whether the query is well formed but contains an invalid value.
    let isBadValue: Bool

    /// - Parameters:
    ///   - reason: The reason.
    ///   - text: The query.
    ///   - column: The position of the error, in Unicode scalars from the start.
    ///   - isBadValue: Whether the query is well formed but contains an invalid value.
    init(_ reason: String, in text: String, at column: Int, isBadValue: Bool = false) {
        // The query is shown on one line. Line breaks and control characters in it would move the mark to another
        // place.
        let shown = QueryError.oneLine(text.unicodeScalars)
        let before = QueryError.oneLine(text.unicodeScalars.prefix(column))
        let indentation = String(repeating: " ", count: before.displayWidth)
        message = "\(reason)\n  \(shown)\n  \(indentation)^"
        self.isBadValue = isBadValue
    }

    private static func oneLine(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var line = String.UnicodeScalarView()
        for scalar in scalars { line.append(scalar.properties.isWhitespace ? " " : scalar) }
        return Console.printable(String(line))
    }
}
