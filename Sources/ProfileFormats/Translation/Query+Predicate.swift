extension Query where Entity.ID: FieldContent {
    /// Returns the condition of the query and its cursor in the format of `NSPredicate`, e.g.
    /// `(birthday < "2000-01-01" AND mail != nil)`. Sort and limit the result as the query says: `sort` and `limit`.
    ///
    /// - Parameters:
    ///   - id: The name of the field with the id.
    ///   - name: A closure that returns the key path of a field, or `nil` if the predicate lacks it.
    /// - Returns: The predicate. A query without condition and cursor returns `TRUEPREDICATE`.
    /// - Throws: `RepositoryError` with the code `programmingError` if a field has no key path, or a text has a NUL.
    public func predicate(id: String = "id", naming name: @escaping (String) -> String? = { $0 }) throws -> String {
        let translator = PredicateTranslator(names: FieldNames(language: "a predicate", name: name))
        return try pageFilter(id: id)?.translated(by: translator) ?? translator.and([])
    }
}

/// A translator to the format of `NSPredicate`.
private struct PredicateTranslator: FilterTranslator {
    let names: FieldNames
    /// The number of the subqueries around the condition. A field of a part belongs to the variable of the subquery.
    var level = 0

    func compare(_ field: String, _ comparison: FilterComparison, _ value: Operand) throws -> String {
        if value.isNaN { return comparison == .notEqual ? and([]) : or([]) }
        return "\(try name(field)) \(comparison.sign) \(try text(of: value))"
    }

    func isIn(_ field: String, _ values: [Operand]) throws -> String {
        let values = values.filter { !$0.isNaN }
        return values.isEmpty ? or([]) : "\(try name(field)) IN {\(try values.map(text).joined(separator: ", "))}"
    }

    func between(_ field: String, _ lower: Operand, _ upper: Operand) throws -> String {
        if lower.isNaN || upper.isNaN { return or([]) }
        return "\(try name(field)) BETWEEN {\(try text(of: lower)), \(try text(of: upper))}"
    }

    func text(_ field: String, _ match: TextMatch) throws -> String {
        // Foundation finds no empty text.
        if match.text.isEmpty, match.kind != .equals, match.kind != .like { return try exists(field) }
        let name =
            switch match.kind {
            case .equals: "=="
            case .begins: "BEGINSWITH"
            case .ends: "ENDSWITH"
            case .contains: "CONTAINS"
            case .like: "LIKE"
            }
        return "\(try self.name(field)) \(name)\(match.ignoresCase ? "[c]" : "") \(try quoted(match.text))"
    }

    func exists(_ field: String) throws -> String { "\(try name(field)) != nil" }

    func any(_ parts: String, _ condition: (PredicateTranslator) throws -> String) throws -> String {
        let inner = PredicateTranslator(names: names, level: level + 1)
        return "SUBQUERY(\(try name(parts)), $part\(inner.level), \(try condition(inner))).@count > 0"
    }

    func and(_ conditions: [String]) -> String {
        conditions.isEmpty ? "TRUEPREDICATE" : "(\(conditions.joined(separator: " AND ")))"
    }

    func or(_ conditions: [String]) -> String {
        conditions.isEmpty ? "FALSEPREDICATE" : "(\(conditions.joined(separator: " OR ")))"
    }

    func not(_ condition: String) -> String { "NOT (\(condition))" }

    private func name(_ field: String) throws -> String {
        let name = try names.named(field)
        return level == 0 ? name : "$part\(level).\(name)"
    }

    private func text(of value: Operand) throws -> String {
        switch value {
        case .text(let text): return try quoted(text)
        case .integer(let number): return "\(number)"
        case .real(let number): return "\(number)"
        case .bool(let flag): return flag ? "TRUE" : "FALSE"
        case .instant(let instant):
            // An `NSDate` counts seconds from 2001-01-01.
            let seconds = Double(instant.seconds) - 978_307_200 + Double(instant.nanoseconds) / 1e9
            return "CAST(\(seconds), \"NSDate\")"
        }
    }

    private func quoted(_ text: String) throws -> String {
        guard !text.unicodeScalars.contains("\0") else { throw names.unsupported("a text that contains NUL") }
        return "\"\(text.inserting("\\") { $0 == "\"" || $0 == "\\" })\""
    }
}
