extension Filter {
    /// Returns the filter in the query language, e.g. `birthday < '2000-01-01' and not mail exists`.
    /// ``init(parsing:)`` parses it.
    ///
    /// - Parameter name: A closure that returns the name of a field in the language, or `nil` if the language lacks it.
    /// - Returns: The condition.
    /// - Throws: `RepositoryError` with the code `programmingError` if a field has no name.
    public func text(naming name: @escaping (String) -> String? = { $0 }) throws -> String {
        let names = FieldNames(language: "the query language", name: name)
        let condition = try translated(by: LanguageTranslator(names: names))
        if let constant = condition.constant { return "\(constant ? "" : "not ")\(try names.named("id")) exists" }
        return condition.text
    }
}

extension Query where Entity.ID: FieldContent {
    /// Returns the query as the parameters of a GET request: `where` in the query language, `sort`, `limit`, and
    /// `after` for each value of the cursor and for its id. An empty value of `after` is a missing value.
    ///
    /// ```swift
    /// let parameters = try query.parameters()
    /// // where: birthday < '2000-01-01', sort: birthday desc, limit: 50
    /// ```
    ///
    /// - Parameter name: A closure that returns the name of a field in the language, or `nil` if the language lacks it.
    /// - Returns: The names and the values, which are not percent-encoded.
    /// - Throws: `RepositoryError` with the code `programmingError` if a field has no name.
    public func parameters(
        naming name: @escaping (String) -> String? = { $0 }
    ) throws -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        if let filter { parameters.append(("where", try filter.text(naming: name))) }
        if !sort.isEmpty {
            let names = FieldNames(language: "the query language", name: name)
            let keys = try sort.map { try names.named($0.field) + ($0.isDescending ? " desc" : "") }
            parameters.append(("sort", keys.joined(separator: ", ")))
        }
        if let limit { parameters.append(("limit", "\(limit)")) }
        guard let cursor else { return parameters }
        return parameters
            + (cursor.values + [cursor.id.operand]).map { (name: "after", value: $0?.languageText ?? "") }
    }
}

/// A translator to the query language, which has no constants.
private struct LanguageTranslator: FilterTranslator {
    struct Condition {
        let text: String
        /// The operator that joins the parts of the condition, or `nil` if it has one part.
        var joint: String?
        /// The value of a condition that does not depend on the entity.
        var constant: Bool?

        /// Returns the condition as an operand of `and`, `or`, or of `not` if the operator is `nil`. It is in
        /// parentheses if the operator binds more tightly than the one that joins the parts.
        func operand(of outer: String?) -> String {
            joint == nil || joint == outer || outer == " or " ? text : "(\(text))"
        }
    }

    let names: FieldNames

    func compare(_ field: String, _ comparison: FilterComparison, _ value: Operand) throws -> Condition {
        return Condition(text: "\(try names.named(field)) \(comparison.sign) \(value.languageText.languageQuoted)")
    }

    func isIn(_ field: String, _ values: [Operand]) throws -> Condition {
        guard !values.isEmpty else { return or([]) }
        let list = values.map(\.languageText.languageQuoted).joined(separator: ", ")
        return Condition(text: "\(try names.named(field)) in (\(list))")
    }

    func between(_ field: String, _ lower: Operand, _ upper: Operand) throws -> Condition {
        let (lower, upper) = (lower.languageText.languageQuoted, upper.languageText.languageQuoted)
        return Condition(text: "\(try names.named(field)) between \(lower) and \(upper)")
    }

    func text(_ field: String, _ match: TextMatch) throws -> Condition {
        let word = match.kind == .equals ? "=" : "\(match.kind)"
        let end = match.ignoresCase ? " ignoring case" : ""
        return Condition(text: "\(try names.named(field)) \(word) \(match.text.languageQuoted)\(end)")
    }

    func exists(_ field: String) throws -> Condition { Condition(text: "\(try names.named(field)) exists") }

    func any(_ parts: String, _ condition: (LanguageTranslator) throws -> Condition) throws -> Condition {
        let name = try names.named(parts)
        let condition = try condition(self)
        if condition.constant == true { throw names.unsupported("a condition that every part of \(parts) meets") }
        return condition.constant != nil ? condition : Condition(text: "\(name) (\(condition.text))")
    }

    func and(_ conditions: [Condition]) -> Condition { joined(conditions, " and ", neutral: true) }

    func or(_ conditions: [Condition]) -> Condition { joined(conditions, " or ", neutral: false) }

    func not(_ condition: Condition) -> Condition {
        Condition(text: "not \(condition.operand(of: nil))", constant: condition.constant.map { !$0 })
    }

    private func joined(_ conditions: [Condition], _ joint: String, neutral: Bool) -> Condition {
        if conditions.contains(where: { $0.constant == !neutral }) { return Condition(text: "", constant: !neutral) }
        let conditions = conditions.filter { $0.constant == nil }
        guard let first = conditions.first else { return Condition(text: "", constant: neutral) }
        guard conditions.count > 1 else { return first }
        return Condition(text: conditions.map { $0.operand(of: joint) }.joined(separator: joint), joint: joint)
    }
}

extension Operand {
    /// The value as the query language writes it.
    fileprivate var languageText: String {
        switch self {
        case .text(let text): text
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .bool(let flag): "\(flag)"
        case .instant(let instant): "\(instant)"
        }
    }
}

extension String {
    fileprivate var languageQuoted: String { "'\(inserting("'") { $0 == "'" })'" }
}
