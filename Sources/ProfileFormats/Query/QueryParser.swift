extension Filter<User> {
    /// Parses a condition of the query language, e.g. `birthday < 1990-01-01 and mail exists`.
    ///
    /// ```
    /// condition  = all *( "or" all )
    /// all        = one *( "and" one )
    /// one        = "not" one / "(" condition ")" / comparison
    /// comparison = field ( "=" / "!=" / "<" / "<=" / ">" / ">=" ) value
    ///            / field "in" "(" value *( "," value ) ")"
    ///            / field "between" value "and" value
    ///            / field ( "=" / "begins" / "ends" / "contains" / "like" ) value [ "ignoring" "case" ]
    ///            / field "exists"
    /// field      = "id" / "mail" / "birthday" / "day"
    /// ```
    ///
    /// A birthday has the form `yyyy-MM-dd`. The field `day` is the month and day of the birthday, in the form `MM-dd`.
    /// A value that contains white space or one of the characters `(),=!<>` needs single or double quotes. Within the
    /// quotes, a quote of the same kind is written twice.
    ///
    /// - Parameter text: The condition in the query language.
    /// - Throws: ``QueryError`` with the position of the error.
    public init(parsing text: String) throws(QueryError) { self.init(try QueryParser.term(text, .users)) }
}

extension Sort<User> {
    /// Parses a sort of the query language, e.g. `birthday desc, mail`.
    ///
    /// ```
    /// sort = field [ "asc" / "desc" ] *( "," field [ "asc" / "desc" ] )
    /// ```
    ///
    /// - Parameter text: The fields by which to sort, the most significant first.
    /// - Returns: The sorts in the same order.
    /// - Throws: ``QueryError`` with the position of the error.
    public static func parse(_ text: String) throws(QueryError) -> [Sort] { try QueryParser.sort(text, .users) }
}

extension Filter<Weather> {
    /// Parses a condition on the weather of cities, e.g. `title contains 東京 and day (weather contains 雪)`. A condition
    /// in parentheses after `day` is evaluated on each day by itself.
    package init(parsingWeather text: String) throws(QueryError) { self.init(try QueryParser.term(text, .weather)) }
}

extension Sort<Weather> {
    /// Parses sorts of the weather of cities, e.g. `published desc`.
    package static func parseWeather(_ text: String) throws(QueryError) -> [Sort] {
        try QueryParser.sort(text, .weather)
    }
}

/// A parser for the conditions and sorts that a person types.
private struct QueryParser {
    /// The maximum nesting depth of conditions. It limits the recursion.
    private static let maximumDepth = 100

    private let text: String
    private let tokens: [QueryToken]
    private var fields: FieldSet
    private var index = 0
    private var depth = 0

    private init(_ text: String, _ fields: FieldSet) throws(QueryError) {
        self.text = text
        self.fields = fields
        tokens = try QueryToken.tokens(of: text)
    }

    /// Parses a condition.
    fileprivate static func term(_ text: String, _ fields: FieldSet) throws(QueryError) -> FilterTerm {
        var parser = try QueryParser(text, fields)
        let term = try parser.condition()
        guard parser.next.kind == .end else { throw parser.expected("and, or, or the end after a condition") }
        return term
    }

    /// Parses a sort.
    fileprivate static func sort<Entity>(_ text: String, _ fields: FieldSet) throws(QueryError) -> [Sort<Entity>] {
        // A sort cannot use the fields of parts, because an entity has several parts.
        var parser = try QueryParser(text, FieldSet(fields: fields.fields))
        var sort: [Sort<Entity>] = []
        repeat {
            let field = try parser.field()
            let isDescending = parser.skip("desc")
            if !isDescending { _ = parser.skip("asc") }
            sort.append(Sort(field: field.name, isDescending: isDescending))
        } while parser.skip(",")
        guard parser.next.kind == .end else { throw parser.expected("asc, desc, a comma, or the end after a field") }
        return sort
    }

    // MARK: Conditions

    private mutating func condition() throws(QueryError) -> FilterTerm {
        var any = [try all()]
        while skip("or") { any.append(try all()) }
        return any.count == 1 ? any[0] : .or(any)
    }

    private mutating func all() throws(QueryError) -> FilterTerm {
        var all = [try one()]
        while skip("and") { all.append(try one()) }
        return all.count == 1 ? all[0] : .and(all)
    }

    private mutating func one() throws(QueryError) -> FilterTerm {
        guard depth < QueryParser.maximumDepth else {
            throw queryError("conditions are nested more than \(QueryParser.maximumDepth) deep")
        }
        depth += 1
        defer { depth -= 1 }
        if skip("not") { return .not(try one()) }
        if let parts = fields.parts, next.kind == .bare, next.text == parts.word { return try part(parts) }
        guard skip("(") else { return try comparison() }
        return try conditionInParentheses()
    }

    /// Parses a condition in parentheses whose opening parenthesis has already been parsed.
    private mutating func conditionInParentheses() throws(QueryError) -> FilterTerm {
        let condition = try condition()
        try expect(")", "and, or, or \")\" after a condition")
        return condition
    }

    /// Parses a condition on a single part of the entity.
    private mutating func part(_ parts: FieldSet.Parts) throws(QueryError) -> FilterTerm {
        step()
        try expect("(", "\"(\" after \(parts.word)")
        let outer = fields
        fields = FieldSet(fields: parts.fields)
        defer { fields = outer }
        return .any(parts.name, try conditionInParentheses())
    }

    private mutating func comparison() throws(QueryError) -> FilterTerm {
        let field = try field()
        if skip("exists") { return .exists(field.name) }
        if skip("in") {
            try expect("(", "\"(\" after in")
            var operands: [Operand] = []
            repeat { operands.append(try operand(of: field)) } while skip(",")
            try expect(")", "a comma or \")\" after a value")
            return .isIn(field.name, operands)
        }
        let token = next
        if token.isSymbol("between") {
            try checkOrder(of: field)
            step()
            let lower = try operand(of: field)
            try expect("and", "and after the first value of between")
            return .between(field.name, lower, try operand(of: field))
        }
        if let kind = TextMatch.Kind.allCases.first(where: { $0 != .equals && token.isSymbol("\($0)") }) {
            guard field.hasText else {
                throw queryError("\(token.text) does not apply to \(field.word); use =, <, > or between")
            }
            step()
            let text = try value("a text").text
            return .text(field.name, TextMatch(kind, text, ignoringCase: try isIgnoringCase()))
        }
        let sign = token.text == "==" ? "=" : token.text
        guard token.kind == .symbol, let comparison = FilterComparison.allCases.first(where: { $0.sign == sign }) else {
            throw expected("=, !=, <, <=, >, >=, in, between, begins, ends, contains, like or exists after a field")
        }
        if comparison != .equal, comparison != .notEqual { try checkOrder(of: field) }
        step()
        let text = next.text
        let operand = try operand(of: field)
        if comparison == .equal, field.hasText, try isIgnoringCase() {
            return .text(field.name, TextMatch(.equals, text, ignoringCase: true))
        }
        return .compare(field.name, comparison, operand)
    }

    /// Parses the words `ignoring case`, if they follow.
    private mutating func isIgnoringCase() throws(QueryError) -> Bool {
        guard skip("ignoring") else { return false }
        try expect("case", "case after ignoring")
        return true
    }

    private mutating func operand(of field: CommandField) throws(QueryError) -> Operand {
        let value = try value(field.valueName)
        do {
            return try field.operand(value.text)
        } catch {
            throw QueryError("\(error)", in: text, at: value.column, isBadValue: true)
        }
    }

    private func checkOrder(of field: CommandField) throws(QueryError) {
        guard field.hasOrder else {
            throw queryError("mail addresses have no order; use =, !=, in, begins, ends, contains or like")
        }
    }

    // MARK: Words

    private var next: QueryToken { tokens[index] }

    /// Advances to the next token. At the end of the query, the token `end` remains the next token.
    private mutating func step() { index = min(index + 1, tokens.count - 1) }

    private mutating func skip(_ token: String) -> Bool {
        guard next.isSymbol(token) else { return false }
        step()
        return true
    }

    private mutating func expect(_ token: String, _ expectation: String) throws(QueryError) {
        guard skip(token) else { throw expected(expectation) }
    }

    private mutating func field() throws(QueryError) -> CommandField {
        guard next.kind == .bare, let field = fields.fields.first(where: { $0.word == next.text }) else {
            throw expected("a field (\(fields.names))")
        }
        step()
        return field
    }

    private mutating func value(_ name: String) throws(QueryError) -> QueryToken {
        let token = next
        guard token.kind == .bare || token.kind == .quoted else {
            throw queryError(
                "expected \(name), not \(token.messageText); quote a value that contains spaces or symbols")
        }
        step()
        return token
    }

    private func expected(_ expectation: String) -> QueryError {
        queryError("expected \(expectation), not \(next.messageText)")
    }

    private func queryError(_ reason: String) -> QueryError { QueryError(reason, in: text, at: next.column) }
}

extension FilterComparison {
    /// The operator as the query language, SQL and predicates write it.
    var sign: String {
        switch self {
        case .equal: "="
        case .notEqual: "!="
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        }
    }
}

/// An error which states that a condition or a sort that a person typed is invalid.
///
/// ```swift
/// do {
///     let filter = try Filter<User>(parsing: "birthday < 1990-13-01")
/// } catch {
///     print(error)
///     // "1990-13-01" is not a birthday: a month is 01 to 12 (at byte 5)
///     //   birthday < 1990-13-01
///     //              ^
/// }
/// ```
public struct QueryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error as three lines, for display in a fixed-width font: the reason, the part of the query around the error,
    /// and a mark below the error. Characters that could control a terminal are replaced.
    public let description: String

    /// Whether the reason is an invalid value of a field. It is `false` for any other reason, e.g. invalid syntax.
    package let isBadValue: Bool

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - reason: The reason as a sentence.
    ///   - text: The whole query.
    ///   - column: The position of the error, in Unicode scalars from the start of the query.
    ///   - isBadValue: Whether the reason is an invalid value of a field.
    init(_ reason: String, in text: String, at column: Int, isBadValue: Bool = false) {
        // The part of the query around the error is printed on one line. Line breaks and control characters in it would
        // move the mark to another position.
        let scalars = text.unicodeScalars
        let position =
            scalars.index(scalars.startIndex, offsetBy: column, limitedBy: scalars.endIndex)
            ?? scalars.endIndex
        let before = scalars[..<position].suffix(QueryError.excerptCount)
        let after = scalars[position...].prefix(QueryError.excerptCount)
        let beginning = (before.startIndex > scalars.startIndex ? "…" : "") + QueryError.oneLine(before)
        let end = QueryError.oneLine(after) + (after.endIndex < scalars.endIndex ? "…" : "")
        let indentation = String(repeating: " ", count: beginning.displayWidth)
        description = "\(reason)\n  \(beginning)\(end)\n  \(indentation)^"
        self.isBadValue = isBadValue
    }

    /// The number of Unicode scalars of the query that a message shows before and after the error.
    private static let excerptCount = 80

    private static func oneLine(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(scalars.map { $0.properties.isWhitespace ? " " : $0 })).printable
    }
}
