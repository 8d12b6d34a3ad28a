import UserProfileDomain

/// Translates filters to conditions of the service, e.g. `birthday < '2000-01-01' and not mail exists`.
struct ConditionTranslator: FilterTranslator {
    /// A condition, with the operator that is evaluated last.
    struct Condition {
        /// The operators, in ascending order of precedence.
        enum Operator: Int {
            case or, and, none
        }

        let text: String
        let last: Operator

        init(_ text: String, last: Operator = .none) {
            self.text = text
            self.last = last
        }

        /// Returns the text as an operand, in parentheses if its operator has a lower precedence.
        func operand(of outer: Operator) -> String { last.rawValue < outer.rawValue ? "(\(text))" : text }
    }

    func compare(_ field: String, _ comparison: FilterComparison, _ value: Operand) throws -> Condition {
        let symbol =
            switch comparison {
            case .equal: "="
            case .notEqual: "!="
            case .less: "<"
            case .lessOrEqual: "<="
            case .greater: ">"
            case .greaterOrEqual: ">="
            }
        return Condition("\(try name(of: field)) \(symbol) \(try quoted(value))")
    }

    func isIn(_ field: String, _ values: [Operand]) throws -> Condition {
        guard !values.isEmpty else { return or([]) }
        return Condition("\(try name(of: field)) in (\(try values.map(quoted).joined(separator: ", ")))")
    }

    func between(_ field: String, _ lower: Operand, _ upper: Operand) throws -> Condition {
        Condition("\(try name(of: field)) between \(try quoted(lower)) and \(try quoted(upper))")
    }

    func text(_ field: String, _ match: TextMatch) throws -> Condition {
        let name = match.kind == .equals ? "=" : "\(match.kind)"
        let end = match.ignoresCase ? " ignoring case" : ""
        return Condition("\(try self.name(of: field)) \(name) \(quoted(match.text))\(end)")
    }

    func exists(_ field: String) throws -> Condition { Condition("\(try name(of: field)) exists") }

    func any(_ parts: String, _ condition: (ConditionTranslator) throws -> Condition) throws -> Condition {
        throw RepositoryError(
            .programmingError, message: "the service does not support conditions on parts, such as \(parts)")
    }

    // Every user has an id, so the service needs no constants.
    func and(_ conditions: [Condition]) -> Condition {
        guard !conditions.isEmpty else { return Condition("id exists") }
        return Condition(conditions.map { $0.operand(of: .and) }.joined(separator: " and "), last: .and)
    }

    func or(_ conditions: [Condition]) -> Condition {
        guard !conditions.isEmpty else { return Condition("not id exists") }
        return Condition(conditions.map { $0.operand(of: .or) }.joined(separator: " or "), last: .or)
    }

    func not(_ condition: Condition) -> Condition { Condition("not \(condition.operand(of: .none))") }

    /// Returns the name of a field in the service.
    func name(of field: String) throws -> String {
        switch field {
        case "id", "birthday": return field
        case "mailAddress": return "mail"
        case "monthDay": return "day"
        default: throw RepositoryError(.programmingError, message: "the service has no field \(field)")
        }
    }

    private func quoted(_ value: Operand) throws -> String {
        guard case .text(let text) = value else {
            throw RepositoryError(.programmingError, message: "the service supports only text values, not \(value)")
        }
        return quoted(text)
    }

    /// Doubles quotes by Unicode scalars, because a quote and a combining character after it are one `Character`.
    private func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars.flatMap { $0 == "'" ? [$0, $0] : [$0] }
        return "'\(String(String.UnicodeScalarView(scalars)))'"
    }
}
