import UserProfileDomain

/// Translates filters to the parameter `filter` of the service, e.g. `and(lt(birthday,'2000-01-01'),exists(id))`.
struct FilterParameter: FilterTranslator {
    func compare(_ field: String, _ comparison: FilterComparison, _ value: Operand) throws -> String {
        let name =
            switch comparison {
            case .equal: "eq"
            case .notEqual: "ne"
            case .less: "lt"
            case .lessOrEqual: "le"
            case .greater: "gt"
            case .greaterOrEqual: "ge"
            }
        return "\(name)(\(field),\(try quoted(value)))"
    }

    func isIn(_ field: String, _ values: [Operand]) throws -> String {
        "in(\(([field] + (try values.map(quoted))).joined(separator: ",")))"
    }

    func between(_ field: String, _ lower: Operand, _ upper: Operand) throws -> String {
        "between(\(field),\(try quoted(lower)),\(try quoted(upper)))"
    }

    func begins(_ field: String, with text: String, ignoringCase ignoresCase: Bool) -> String {
        "\(ignoresCase ? "ibegins" : "begins")(\(field),\(quoted(text)))"
    }

    func contains(_ field: String, _ text: String, ignoringCase ignoresCase: Bool) -> String {
        "\(ignoresCase ? "icontains" : "contains")(\(field),\(quoted(text)))"
    }

    func exists(_ field: String) -> String { "exists(\(field))" }

    func any(_ parts: String, _ condition: (FilterParameter) throws -> String) throws -> String {
        throw RepositoryError(.programmingError, message: "the service has no conditions on parts such as \(parts)")
    }

    // The service requires at least one condition. Every user has an id, and none has one of no ids.
    func and(_ conditions: [String]) -> String {
        conditions.isEmpty ? "exists(id)" : "and(\(conditions.joined(separator: ",")))"
    }

    func or(_ conditions: [String]) -> String {
        conditions.isEmpty ? "in(id)" : "or(\(conditions.joined(separator: ",")))"
    }

    func not(_ condition: String) -> String { "not(\(condition))" }

    private func quoted(_ value: Operand) throws -> String {
        guard case .text(let text) = value else {
            throw RepositoryError(.programmingError, message: "the service has only texts, not \(value)")
        }
        return quoted(text)
    }

    /// Doubles quotes by Unicode scalars, because a quote and a combining character after it are one `Character`.
    private func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars.flatMap { $0 == "'" ? [$0, $0] : [$0] }
        return "'\(String(String.UnicodeScalarView(scalars)))'"
    }
}
