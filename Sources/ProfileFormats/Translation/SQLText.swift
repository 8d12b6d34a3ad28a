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
        let translator = SQLTranslator(dialect, column, folded)
        return SQLText(text: try translated(by: translator).text, parameters: translator.parameters.values)
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
        let condition = try pageFilter(id: id)?.translated(by: translator)
        let keys =
            try sort.map { sort in
                try translator.columns.named(sort.field) + (sort.isDescending ? " DESC NULLS LAST" : " ASC NULLS FIRST")
            } + ["\(try translator.columns.named(id)) ASC"]
        var text = condition.map { "WHERE \($0.text) " } ?? ""
        text += "ORDER BY \(keys.joined(separator: ", "))"
        if let limit { text += " LIMIT \(translator.parameter(.integer(Int64(max(0, limit)))))" }
        return SQLText(text: text, parameters: translator.parameters.values)
    }
}

/// A translator to SQL. A condition is `NULL` where it should be false, which `AND`, `OR` and `WHERE` treat alike. A
/// negation therefore tests whether the condition is not true. So the database can use its indexes.
///
/// The parameters have the order of the text, because the conditions are translated in this order, each once.
private struct SQLTranslator: FilterTranslator {
    struct Condition {
        let text: String
        /// The text of the negation, if it is shorter than the general one.
        var negation: String?
    }

    final class Parameters {
        var values: [Operand] = []
    }

    let dialect: SQLText.Dialect
    let columns: FieldNames
    let folded: FieldNames
    let parameters = Parameters()

    init(_ dialect: SQLText.Dialect, _ column: @escaping (String) -> String?, _ folded: @escaping (String) -> String?) {
        self.dialect = dialect
        columns = FieldNames(language: "SQL", name: column)
        self.folded = FieldNames(language: "SQL", name: folded)
    }

    /// Adds a parameter, and returns its name in the statement.
    func parameter(_ value: Operand) -> String {
        parameters.values.append(value)
        return dialect == .sqlite ? "?" : "$\(parameters.values.count)"
    }

    func compare(_ field: String, _ comparison: FilterComparison, _ value: Operand) throws -> Condition {
        let column = try columns.named(field)
        guard comparison != .notEqual else { return not(try compare(field, .equal, value)) }
        return value.isNaN ? or([]) : Condition(text: "\(column) \(comparison.sign) \(parameter(value))")
    }

    func isIn(_ field: String, _ values: [Operand]) throws -> Condition {
        let column = try columns.named(field)
        let list = values.filter { !$0.isNaN }.map(parameter).joined(separator: ", ")
        return list.isEmpty ? or([]) : Condition(text: "\(column) IN (\(list))")
    }

    func between(_ field: String, _ lower: Operand, _ upper: Operand) throws -> Condition {
        if lower.isNaN || upper.isNaN { return or([]) }
        return Condition(text: "\(try columns.named(field)) BETWEEN \(parameter(lower)) AND \(parameter(upper))")
    }

    func text(_ field: String, _ match: TextMatch) throws -> Condition {
        guard !match.text.unicodeScalars.contains("\0") else { throw columns.unsupported("a text that contains NUL") }
        guard !match.ignoresCase || folded.name(field) != nil else {
            throw columns.unsupported("a condition that ignores the case of \(field); pass `folded`")
        }
        let column = try (match.ignoresCase ? folded : columns).named(field)
        let match = match.ignoresCase ? match.replacing(match.text.caseFolded) : match
        let (sign, text) =
            switch (match.kind, dialect) {
            case (.equals, _): ("=", match.text)
            case (_, .sqlite): ("GLOB", match.sqlPattern("*", "?", "*?[") { "[\($0)]" })
            case (_, .postgres): ("LIKE", match.sqlPattern("%", "_", "%_\\") { "\\\($0)" })
            }
        return Condition(text: "\(column) \(sign) \(parameter(.text(text)))")
    }

    func exists(_ field: String) throws -> Condition {
        let column = try columns.named(field)
        return Condition(text: "\(column) IS NOT NULL", negation: "\(column) IS NULL")
    }

    func any(_ parts: String, _ condition: (SQLTranslator) throws -> Condition) throws -> Condition {
        throw columns.unsupported("a condition on the parts \(parts)")
    }

    func and(_ conditions: [Condition]) -> Condition { joined(conditions, " AND ", or: "TRUE") }

    func or(_ conditions: [Condition]) -> Condition { joined(conditions, " OR ", or: "FALSE") }

    func not(_ condition: Condition) -> Condition {
        Condition(text: condition.negation ?? "(\(condition.text)) IS NOT TRUE")
    }

    private func joined(_ conditions: [Condition], _ separator: String, or empty: String) -> Condition {
        guard conditions.count > 1 else { return conditions.first ?? Condition(text: empty) }
        return Condition(text: "(\(conditions.map(\.text).joined(separator: separator)))")
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
