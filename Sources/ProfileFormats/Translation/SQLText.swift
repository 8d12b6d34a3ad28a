public import UserProfileDomain

/// A part of an SQL statement, with the values of its parameters.
///
/// ```swift
/// let condition = try filter.sql(.sqlite) { "\"\($0)\"" }
/// let rows = try db.prepare("SELECT * FROM notes WHERE " + condition.text, condition.parameters)
/// ```
public struct SQLText: Hashable, Sendable {
    /// An SQL database.
    ///
    /// ```swift
    /// let condition = try filter.sql(.postgres) { "\"\($0)\" COLLATE \"C\"" }
    /// ```
    public enum Dialect: Hashable, Sendable {
        /// SQLite 3.30 and later. The parameters are `?`.
        case sqlite
        /// PostgreSQL. The parameters are `$1`, `$2` and so on.
        case postgres
    }

    /// The text of the statement. Values are never part of it.
    public let text: String

    /// The values of the parameters in their order. Bind them to the statement.
    public let parameters: [Operand]
}

extension Filter {
    /// Returns the filter as the condition of a `WHERE` clause.
    ///
    /// - Parameters:
    ///   - dialect: The database.
    ///   - column: A closure that returns the column of a field as an SQL expression, or `nil` if the table lacks it.
    ///     Texts must be compared by bytes. Return e.g. `"name" COLLATE "C"` for PostgreSQL.
    ///   - folded: A closure that returns the expression of the case folding of a field, or `nil` if the table lacks
    ///     it.
    /// - Returns: The condition.
    /// - Throws: `RepositoryError` with the code `programmingError` if a field has no column, or if SQL cannot
    ///   express the filter: conditions on parts, and texts with NUL.
    public func sql(
        _ dialect: SQLText.Dialect, column: @escaping (String) -> String?,
        folded: @escaping (String) -> String? = { _ in nil }
    ) throws -> SQLText {
        try translated(by: SQLTranslator(dialect, column, folded)).text(dialect)
    }
}

extension Query where Entity.ID: FieldContent {
    /// Returns the query as the clauses `WHERE`, `ORDER BY` and `LIMIT`, with the page that the cursor determines.
    ///
    /// ```swift
    /// let sql = try query.sql(.sqlite) { ["id": "id", "birthday": "born"][$0] }
    /// let statement = "SELECT id, born FROM users \(sql.text)"  // bind sql.parameters
    /// ```
    ///
    /// - Parameters:
    ///   - dialect: The database.
    ///   - id: The name of the field with the id.
    ///   - column: A closure that returns the column of a field as an SQL expression, or `nil` if the table lacks it.
    ///     Texts must be compared by bytes. Return e.g. `"name" COLLATE "C"` for PostgreSQL.
    ///   - folded: A closure that returns the expression of the case folding of a field, or `nil` if the table lacks
    ///     it.
    /// - Returns: The clauses.
    /// - Throws: `RepositoryError` with the code `programmingError` if SQL cannot express the query.
    public func sql(
        _ dialect: SQLText.Dialect, id: String = "id", column: @escaping (String) -> String?,
        folded: @escaping (String) -> String? = { _ in nil }
    ) throws -> SQLText {
        let translator = SQLTranslator(dialect, column, folded)
        var clauses = SQLFragment("")
        if let filter = try pageFilter(id: id) { clauses = "WHERE \(try filter.translated(by: translator)) " }
        let keys =
            try sort.map { sort in
                try translator.columns.named(sort.field) + (sort.isDescending ? " DESC NULLS LAST" : " ASC NULLS FIRST")
            } + ["\(try translator.columns.named(id)) ASC"]
        clauses = "\(clauses)ORDER BY \(raw: keys.joined(separator: ", "))"
        if let limit { clauses = "\(clauses) LIMIT \(.integer(Int64(max(0, limit))))" }
        return clauses.text(dialect)
    }
}

/// A translator to SQL. A condition is `NULL` where it should be false, which `AND`, `OR` and `WHERE` treat alike. A
/// negation therefore tests whether the condition is not true. So the database can use its indexes.
private struct SQLTranslator: FilterTranslator {
    let dialect: SQLText.Dialect
    let columns: FieldNames
    let folded: FieldNames

    init(_ dialect: SQLText.Dialect, _ column: @escaping (String) -> String?, _ folded: @escaping (String) -> String?) {
        self.dialect = dialect
        columns = FieldNames(language: "SQL", name: column)
        self.folded = FieldNames(language: "SQL", name: folded)
    }

    func compare(_ field: String, _ comparison: FilterComparison, _ value: Operand) throws -> SQLFragment {
        let column = try columns.named(field)
        guard comparison != .notEqual else { return not(try compare(field, .equal, value)) }
        if value.isNaN { return "FALSE" }
        return "\(raw: column) \(raw: comparison.sign) \(value)"
    }

    func isIn(_ field: String, _ values: [Operand]) throws -> SQLFragment {
        let column = try columns.named(field)
        let values = values.filter { !$0.isNaN }
        if values.isEmpty { return "FALSE" }
        return "\(raw: column) IN (\(values.map { "\($0)" }, separator: ", "))"
    }

    func between(_ field: String, _ lower: Operand, _ upper: Operand) throws -> SQLFragment {
        lower.isNaN || upper.isNaN ? "FALSE" : "\(raw: try columns.named(field)) BETWEEN \(lower) AND \(upper)"
    }

    func text(_ field: String, _ match: TextMatch) throws -> SQLFragment {
        guard !match.text.unicodeScalars.contains("\0") else { throw columns.unsupported("a text that contains NUL") }
        guard !match.ignoresCase || folded.name(field) != nil else {
            throw columns.unsupported("a condition that ignores the case of \(field); pass `folded`")
        }
        let column = try (match.ignoresCase ? folded : columns).named(field)
        let match = match.ignoresCase ? match.replacing(match.text.caseFolded) : match
        switch (match.kind, dialect) {
        case (.equals, _): return "\(raw: column) = \(.text(match.text))"
        case (_, .sqlite): return "\(raw: column) GLOB \(.text(match.sqlPattern("*", "?", "*?[") { "[\($0)]" }))"
        case (_, .postgres): return "\(raw: column) LIKE \(.text(match.sqlPattern("%", "_", "%_\\") { "\\\($0)" }))"
        }
    }

    func exists(_ field: String) throws -> SQLFragment {
        let column = try columns.named(field)
        var condition: SQLFragment = "\(raw: column) IS NOT NULL"
        condition.existing = column
        return condition
    }

    func any(_ parts: String, _ condition: (SQLTranslator) throws -> SQLFragment) throws -> SQLFragment {
        throw columns.unsupported("a condition on the parts \(parts)")
    }

    func and(_ conditions: [SQLFragment]) -> SQLFragment { joined(conditions, " AND ", or: "TRUE") }

    func or(_ conditions: [SQLFragment]) -> SQLFragment { joined(conditions, " OR ", or: "FALSE") }

    func not(_ condition: SQLFragment) -> SQLFragment {
        condition.existing.map { "\(raw: $0) IS NULL" } ?? "(\(condition)) IS NOT TRUE"
    }

    private func joined(_ conditions: [SQLFragment], _ separator: String, or empty: SQLFragment) -> SQLFragment {
        guard let first = conditions.first else { return empty }
        return conditions.count > 1 ? "(\(conditions, separator: separator))" : first
    }
}

extension TextMatch {
    /// Returns the condition as a pattern with the given wildcards for any text and for one scalar. The special scalars
    /// are escaped.
    fileprivate func sqlPattern(
        _ any: String, _ one: String, _ special: String, _ escaped: (Unicode.Scalar) -> String
    ) -> String {
        pattern.map { token in
            switch token {
            case .any: any
            case .one: one
            case .scalar(let scalar): special.unicodeScalars.contains(scalar) ? escaped(scalar) : String(scalar)
            }
        }.joined()
    }
}

/// A part of a statement: pieces of text, with a parameter between each two of them.
private struct SQLFragment: ExpressibleByStringInterpolation, StringInterpolationProtocol {
    var pieces = [""]
    var values: [Operand] = []
    /// The column if the whole condition is that it has a value.
    var existing: String?

    init(stringLiteral text: String) { pieces = [text] }

    init(stringInterpolation: SQLFragment) { self = stringInterpolation }

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ text: String) { pieces[pieces.count - 1] += text }

    mutating func appendInterpolation(raw text: String) { appendLiteral(text) }

    mutating func appendInterpolation(_ value: Operand) {
        pieces.append("")
        values.append(value)
    }

    mutating func appendInterpolation(_ other: SQLFragment) {
        appendLiteral(other.pieces[0])
        pieces += other.pieces.dropFirst()
        values += other.values
    }

    /// Appends fragments in time proportional to their number.
    mutating func appendInterpolation(_ others: [SQLFragment], separator: String) {
        for (index, other) in others.enumerated() {
            if index > 0 { appendLiteral(separator) }
            appendInterpolation(other)
        }
    }

    func text(_ dialect: SQLText.Dialect) -> SQLText {
        var text = pieces[0]
        for (index, piece) in pieces.dropFirst().enumerated() {
            text += (dialect == .sqlite ? "?" : "$\(index + 1)") + piece
        }
        return SQLText(text: text, parameters: values)
    }
}
