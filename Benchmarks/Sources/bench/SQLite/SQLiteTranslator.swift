import GRDB
import UserProfileDomain

/// A translator of filters on users to predicates on the table of ``SQLiteProfiles`` with indexed columns.
///
/// Each predicate is true or false and never `NULL`.
struct SQLiteTranslator: FilterTranslator {
    func compare(_ field: String, _ comparison: FilterComparison, _ value: Operand) throws -> SQLitePredicate {
        let name =
            switch comparison {
            case .equal: "IS"
            case .notEqual: "IS NOT"
            case .less: "<"
            case .lessOrEqual: "<="
            case .greater: ">"
            case .greaterOrEqual: ">="
            }
        return SQLitePredicate("coalesce(\(try column(field)) \(name) ?, 0)", [try argument(value)])
    }

    func isIn(_ field: String, _ values: [Operand]) throws -> SQLitePredicate {
        let marks = values.map { _ in "?" }.joined(separator: ", ")
        return SQLitePredicate(
            "coalesce(\(try column(field)) IN (\(marks)), 0)", StatementArguments(try values.map(argument)))
    }

    func between(_ field: String, _ lower: Operand, _ upper: Operand) throws -> SQLitePredicate {
        SQLitePredicate(
            "coalesce(\(try column(field)) BETWEEN ? AND ?, 0)", [try argument(lower), try argument(upper)])
    }

    func text(_ field: String, _ match: TextMatch) throws -> SQLitePredicate {
        switch match.kind {
        case .begins: try begins(field, with: match.text, ignoringCase: match.ignoresCase)
        case .contains: try contains(field, match.text, ignoringCase: match.ignoresCase)
        case .equals, .ends, .like:
            throw RepositoryError(.programmingError, message: "the benchmark has no queries with \(match.kind)")
        }
    }

    private func begins(_ field: String, with text: String, ignoringCase ignoresCase: Bool) throws -> SQLitePredicate {
        func begins(_ column: String, _ text: String) -> SQLitePredicate {
            SQLitePredicate("coalesce(substr(\(column), 1, length(?)) = ?, 0)", [text, text])
        }
        let column = try column(field)
        if ignoresCase { return begins("lower(\(column))", text.asciiLowercased) }
        guard field == "mailAddress" else { return begins(column, text) }
        return or([begins(column, text), begins(column, text.withLowercaseDomain)])
    }

    private func contains(_ field: String, _ text: String, ignoringCase ignoresCase: Bool) throws -> SQLitePredicate {
        func contains(_ column: String, _ text: String) -> SQLitePredicate {
            SQLitePredicate("coalesce(instr(\(column), ?) > 0, 0)", [text])
        }
        let column = try column(field)
        if ignoresCase { return contains("lower(\(column))", text.asciiLowercased) }
        guard field == "mailAddress" else { return contains(column, text) }
        // Text without an `@` may be in the local part, which is case-sensitive, or in the domain, which is not.
        let domain = "substr(\(column), length(rtrim(\(column), replace(\(column), '@', ''))) + 1)"
        let inDomain = text.contains("@") ? [] : [contains(domain, text.asciiLowercased)]
        return or([contains(column, text), contains(column, text.withLowercaseDomain)] + inDomain)
    }

    func exists(_ field: String) throws -> SQLitePredicate { SQLitePredicate("\(try column(field)) IS NOT NULL") }

    func any(_ parts: String, _ condition: (SQLiteTranslator) throws -> SQLitePredicate) throws -> SQLitePredicate {
        throw RepositoryError(.programmingError, message: "the table has no column for the parts \(parts)")
    }

    func and(_ predicates: [SQLitePredicate]) -> SQLitePredicate { .joined(predicates, by: "AND", or: "1") }

    func or(_ predicates: [SQLitePredicate]) -> SQLitePredicate { .joined(predicates, by: "OR", or: "0") }

    func not(_ predicate: SQLitePredicate) -> SQLitePredicate {
        SQLitePredicate("NOT \(predicate.sql)", predicate.arguments)
    }

    /// Returns the column of a field. Mail addresses are compared with their domains lowercased.
    func column(_ field: String) throws -> String {
        switch field {
        case "id", "birthday", "monthDay": return field
        case "mailAddress": return "comparable"
        default:
            throw RepositoryError(.programmingError, message: "the table has no column for the field \(field)")
        }
    }

    private func argument(_ value: Operand) throws -> any DatabaseValueConvertible {
        switch value {
        case .text(let text): return text
        case .integer(let number): return number
        case .real(let number): return number
        case .bool(let flag): return flag
        case .instant:
            throw RepositoryError(.programmingError, message: "the table has no column with points in time")
        }
    }
}

extension String {
    /// The text with its ASCII letters lowercased.
    fileprivate var asciiLowercased: String {
        String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
    }

    /// The text with the ASCII letters after its last `@` lowercased.
    fileprivate var withLowercaseDomain: String {
        guard let at = utf8.lastIndex(of: UInt8(ascii: "@")) else { return self }
        return self[..<at] + String(self[at...]).asciiLowercased
    }
}
