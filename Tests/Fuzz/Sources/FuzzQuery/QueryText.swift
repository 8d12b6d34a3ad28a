@testable import ProfileFormats
@testable import QueryVocabulary
@testable import UserProfileDomain

/// A writer of queries, from whose text `Filter` and `Sort` parse the same query.
enum QueryText {
    /// Returns the text of a condition. It has no more parentheses than necessary, because they count as nesting.
    static func condition(_ term: FilterTerm) -> String {
        switch term {
        case .and(let terms): terms.map { isList($0) ? "(\(condition($0)))" : condition($0) }.joined(separator: " and ")
        case .or(let terms): terms.map { isOr($0) ? "(\(condition($0)))" : condition($0) }.joined(separator: " or ")
        case .not(let term): "not " + (isList(term) ? "(\(condition(term)))" : condition(term))
        case .compare(let field, let comparison, let operand):
            "\(name(of: field)) \(symbol(of: comparison)) \(value(operand))"
        case .isIn(let field, let operands):
            "\(name(of: field)) in (\(operands.map(value).joined(separator: ", ")))"
        case .between(let field, let lower, let upper):
            "\(name(of: field)) between \(value(lower)) and \(value(upper))"
        case .text(let field, let match):
            "\(name(of: field)) \(match.kind == .equals ? "=" : "\(match.kind)") \(quoted(match.text))"
                + (match.ignoresCase ? " ignoring case" : "")
        case .exists(let field): "\(name(of: field)) exists"
        case .any: fatalError("no query has such a condition")
        }
    }

    /// Returns the text of a sort.
    static func sort(_ sort: [Sort<User>]) -> String {
        sort.map { name(of: $0.field) + ($0.isDescending ? " desc" : "") }.joined(separator: ",")
    }

    private static func isOr(_ term: FilterTerm) -> Bool { if case .or = term { true } else { false } }

    private static func isList(_ term: FilterTerm) -> Bool { if case .and = term { true } else { isOr(term) } }

    private static func name(of field: String) -> String {
        guard let field = FieldSet.users.fields.first(where: { $0.name == field }) else {
            fatalError("no query has the field \(field)")
        }
        return field.word
    }

    private static func symbol(of comparison: FilterComparison) -> String {
        switch comparison {
        case .equal: "="
        case .notEqual: "!="
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        }
    }

    private static func value(_ operand: Operand) -> String {
        guard case .text(let text) = operand else { fatalError("no query has the value \(operand)") }
        return quoted(text)
    }

    /// Returns text in quotes. It is built from Unicode scalars, because a quote and a mark after it would be one
    /// character.
    private static func quoted(_ text: String) -> String {
        var quoted = "'".unicodeScalars
        for scalar in text.unicodeScalars {
            if scalar == "'" { quoted.append(scalar) }
            quoted.append(scalar)
        }
        quoted.append("'")
        return String(quoted)
    }
}
