import UserProfileDomain

/// Translates filters to text, and rejects fields that it does not know.
struct FilterText: FilterTranslator {
    var fields: Set = ["id", "mailAddress", "birthday", "forecasts"]

    private func named(_ field: String) throws -> String {
        guard fields.contains(field) else {
            throw RepositoryError(.programmingError, message: "the field \(field) is unknown")
        }
        return field
    }

    func compare(_ field: String, _ comparison: FilterComparison, _ value: Operand) throws -> String {
        "\(try named(field)) \(comparison) \(value)"
    }

    func isIn(_ field: String, _ values: [Operand]) throws -> String {
        "\(try named(field)) in \(values.map { "\($0)" })"
    }

    func between(_ field: String, _ lower: Operand, _ upper: Operand) throws -> String {
        "\(try named(field)) in \(lower)...\(upper)"
    }

    func text(_ field: String, _ match: TextMatch) throws -> String {
        "\(try named(field)) \(match.kind) \(match.text)\(match.ignoresCase ? " (any case)" : "")"
    }

    func exists(_ field: String) throws -> String { "\(try named(field)) exists" }

    func any(_ parts: String, _ condition: (FilterText) throws -> String) throws -> String {
        "any \(try named(parts)): \(try condition(FilterText(fields: ["telop", "highest"])))"
    }

    func and(_ conditions: [String]) -> String { "(\(conditions.joined(separator: " and ")))" }

    func or(_ conditions: [String]) -> String { "(\(conditions.joined(separator: " or ")))" }

    func not(_ condition: String) -> String { "not \(condition)" }
}
