// Random users and filters. `QueryCase` filters and sorts a record for each user.

extension User {
    /// Returns a random user with values from a small range, so that users have values in common.
    static func random(_ id: Int, using generator: inout SeededGenerator) throws -> User {
        let hasAddress = Int.random(in: 0..<4, using: &generator) > 0
        let hasBirthday = Int.random(in: 0..<4, using: &generator) > 0
        return User(
            id: try UserID(String(id)), mailAddress: hasAddress ? try MailAddress(.address(using: &generator)) : nil,
            birthday: hasBirthday ? try Birthday(.birthday(using: &generator)) : nil)
    }

    /// The record of the user, with the fields by which queries filter and sort, and the mail address as typed.
    var entry: Entry {
        var record: Record = ["id": .string(id.text)]
        record["mailAddress"] = mailAddress.map { .string(MailAddress.comparable($0.text)) }
        record["typed"] = mailAddress.map { .string($0.text) }
        record["birthday"] = birthday.map { .string($0.text) }
        record["monthDay"] = birthday.map { .string(String($0.text.dropFirst(5))) }
        return Entry(key: Key(stored: id.text, in: "users"), record: record)
    }
}

extension String {
    fileprivate static func address(using generator: inout SeededGenerator) -> String {
        let locals = ["vision", "Vision", "a", "é", "e\u{301}", "\"a b\"", "\"a\"", "\"\\a\""]
        let domains = [
            "example.com", "EXAMPLE.com", "example.net", "Vision.example", "ex\u{E4}mple.com", "XN--exmple-cua.com",
        ]
        return "\(generator.pick(locals))@\(generator.pick(domains))"
    }

    fileprivate static func birthday(using generator: inout SeededGenerator) -> String {
        generator.pick([
            "1999-12-31", "2000-01-01", "2000-02-28", "2000-02-29", "2000-03-01", "2004-02-29", "2003-03-01",
            "1990-08-01", "2011-08-01", "0001-01-01",
        ])
    }
}

extension FilterTerm {
    /// The fields by which queries filter and sort users.
    static let userFields = ["id", "mailAddress", "birthday", "monthDay"]

    /// Returns a random condition on users.
    static func random(_ depth: Int = 3, using generator: inout SeededGenerator) -> FilterTerm {
        guard depth > 0, Int.random(in: 0..<3, using: &generator) > 0 else { return one(using: &generator) }
        let terms = (0..<2).map { _ in random(depth - 1, using: &generator) }
        return switch Int.random(in: 0..<5, using: &generator) {
        case 0, 1: .and(terms)
        case 2, 3: .or(terms)
        default: .not(terms[0])
        }
    }

    private static func one(using generator: inout SeededGenerator) -> FilterTerm {
        let field = generator.pick(userFields + ["mailAddress"])
        let operands = (0..<2).map { _ -> Operand in
            switch field {
            case "id": .text(String(Int.random(in: 0..<40, using: &generator)))
            case "mailAddress": .text(MailAddress.comparable(.address(using: &generator)))
            case "birthday": .text(.birthday(using: &generator))
            default: .text(String(String.birthday(using: &generator).dropFirst(5)))
            }
        }
        return switch Int.random(in: 0..<12, using: &generator) {
        case 0: .exists(field)
        case 1: .isIn(field, Array(operands.prefix(.random(in: 0...2, using: &generator))))
        case 2...4: .compare(field, generator.pick([.equal, .notEqual]), operands[0])
        case _ where field == "mailAddress": .text(field, .randomAddress(using: &generator))
        case 5 where field == "id": .text(field, TextMatch(.begins, "1"))
        case 6: .between(field, operands[0], operands[1])
        default: .compare(field, generator.pick([.less, .lessOrEqual, .greater, .greaterOrEqual]), operands[0])
        }
    }

    /// The same condition on the record of a user.
    var condition: Condition {
        switch self {
        case .compare(let name, let comparison, let operand): .compare(QueryField(name), comparison, operand.value)
        case .isIn(let name, let operands): .isIn(QueryField(name), operands.map(\.value))
        case .between(let name, let lower, let upper): .between(QueryField(name), lower.value, upper.value)
        case .text("mailAddress", let match): .address(match)
        case .text(let name, let match): .text(QueryField(name), match)
        case .exists(let name): .exists(QueryField(name))
        case .any(let name, let term): .any(QueryField(name), term.condition)
        case .and(let terms): .and(terms.map(\.condition))
        case .or(let terms): .or(terms.map(\.condition))
        case .not(let term): .not(term.condition)
        }
    }
}

extension Operand {
    /// The value in the record of a user, whose fields are texts.
    fileprivate var value: Value { if case .text(let text) = self { .string(text) } else { .array([]) } }
}

extension Condition {
    /// Returns the condition that a mail address matches as typed or in its comparable form.
    fileprivate static func address(_ match: TextMatch) -> Condition {
        let (typed, comparable) = (QueryField("typed"), QueryField("mailAddress"))
        var alternatives = [match, match.replacing(MailAddress.comparable(match.text))].map { text(comparable, $0) }
        alternatives.append(.text(typed, match))
        if match.kind == .contains, !match.text.contains("@") {
            // The text may also be within the domain, regardless of case.
            let inDomain = TextMatch(.contains, match.text, ignoringCase: true, after: UInt8(ascii: "@"))
            alternatives += [.text(typed, inDomain), .text(comparable, inDomain)]
        }
        return .or(alternatives)
    }
}

extension TextMatch {
    /// Returns a random condition on mail addresses.
    fileprivate static func randomAddress(using generator: inout SeededGenerator) -> TextMatch {
        let text = generator.pick([
            "", "a", "A", "vision@", "vision@EXAMPLE", "Vision@example", "Example", "example", "é", "e\u{301}", "\"a",
            "a@x", "a@xn--", "ample-c", "MPLE-C", "a@ex\u{E4}",
        ])
        return switch Int.random(in: 0..<6, using: &generator) {
        case 0: TextMatch(.like, "*\(text)?*", ignoringCase: true)
        case 1: TextMatch(.ends, text, ignoringCase: true)
        case 2, 3: TextMatch(.begins, text, ignoringCase: .random(using: &generator))
        default: TextMatch(.contains, text, ignoringCase: .random(using: &generator))
        }
    }
}
