/// What is wrong with a query that was typed, and where.
struct QueryError: Error {
    let message: String

    /// Whether the query is well formed, and a value in it breaks a rule.
    let isBadValue: Bool

    /// - Parameters:
    ///   - reason: what is wrong.
    ///   - text: the query.
    ///   - column: where it is wrong, in Unicode scalars from the start.
    ///   - isBadValue: whether it is a value that breaks a rule.
    init(_ reason: String, in text: String, at column: Int, isBadValue: Bool = false) {
        // On one line, whatever was typed: what ends a line or steers the terminal would move the mark away.
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
