import GRDB

/// An SQLite predicate with parameters.
struct SQLitePredicate {
    let sql: String
    let arguments: StatementArguments

    init(_ sql: String, _ arguments: StatementArguments = []) {
        self.sql = sql
        self.arguments = arguments
    }

    /// Returns the combination of several predicates.
    ///
    /// - Parameters:
    ///   - predicates: The predicates to combine.
    ///   - separator: The operator `AND` or `OR`.
    ///   - empty: The predicate to return if the array is empty.
    /// - Returns: The predicate in parentheses.
    static func joined(_ predicates: [SQLitePredicate], by separator: String, or empty: String) -> SQLitePredicate {
        let sql = predicates.isEmpty ? empty : predicates.map(\.sql).joined(separator: " \(separator) ")
        return SQLitePredicate("(\(sql))", predicates.reduce(into: StatementArguments()) { $0 += $1.arguments })
    }
}
