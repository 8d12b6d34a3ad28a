extension FilterTerm {
    /// Returns the condition on records that corresponds to the term. Throws `DataStoreError` with the code
    /// `invalidQuery` if a field has no translation. `fields` has the translations by the names in the entity.
    ///
    /// Terms can be nested deeply, so this function needs little of the stack.
    func condition(_ fields: [String: FieldMapping]) throws -> Condition {
        switch self {
        case .and(let terms): .and(try terms.map { try $0.condition(fields) })
        case .or(let terms): .or(try terms.map { try $0.condition(fields) })
        case .not(let term): .not(try term.condition(fields))
        default: try conditionOnField(fields)
        }
    }

    private func conditionOnField(_ fields: [String: FieldMapping]) throws -> Condition {
        switch self {
        case .compare(let name, let comparison, let value):
            let field = try fields.named(name, orSealed: comparison == .equal || comparison == .notEqual)
            return .compare(field.field, comparison, try field.value(value))
        case .isIn(let name, let values):
            let field = try fields.named(name, orSealed: true)
            // An empty array must not hide that no query can compare the values.
            _ = try field.comparedSealing()
            return .isIn(field.field, try values.map(field.value))
        case .between(let name, let lower, let upper):
            let field = try fields.named(name)
            return .between(field.field, try field.value(lower), try field.value(upper))
        case .text(let name, let match): return try fields.named(name).condition(match)
        case .exists(let name): return .exists(try fields.named(name, orSealed: true).field)
        case .any(let name, let term):
            let parts = try fields.named(name)
            return .any(parts.field, try term.condition(parts.parts))
        case .and, .or, .not: return try condition(fields)
        }
    }
}

extension FieldMapping {
    /// Returns a condition on the text of the field. A mail address is searched in its comparable form and, if it can
    /// match only there, as typed, for which there is no index.
    fileprivate func condition(_ match: TextMatch) -> Condition {
        guard let typed = typedMailAddress else {
            return .text(field, caseFolding.map { match.replacing(match.text.transformed(by: $0)) } ?? match)
        }
        let form = match.kind == .like ? match.text.withLowercaseDomain : MailAddress.comparable(match.text)
        var alternatives = [Condition.text(field, match.replacing(form))]
        if form != match.text { alternatives.append(.text(field, match)) }
        if match.kind != .begins || match.ignoresCase || match.text.mayBeginOtherForm {
            alternatives.append(.text(typed, match))
        }
        let at = UInt8(ascii: "@")
        if match.kind == .contains || match.kind == .ends, !match.ignoresCase, !match.text.utf8.contains(at) {
            // The text may be within the domain, where the case of ASCII letters does not matter.
            let inDomain = TextMatch(match.kind, match.text.transformed(by: .asciiLowercase), after: at)
            for field in [field, typed.transformed(by: .asciiLowercase)] { alternatives.append(.text(field, inDomain)) }
        }
        return alternatives.count == 1 ? alternatives[0] : .or(alternatives)
    }
}

extension [String: FieldMapping] {
    /// Returns the translation of a field. Throws `DataStoreError` with the code `invalidQuery` if the field is
    /// unknown, or `misuse` if it is sealed, because sealed values have no order and no text.
    func named(_ name: String, orSealed canBeSealed: Bool = false) throws(DataStoreError) -> FieldMapping {
        if let field = self[name] {
            if let sealed = field.sealed, !canBeSealed { throw FieldMapping.misuse(sealed.path) }
            return field
        }
        let names = keys.isEmpty ? "none" : keys.sorted().joined(separator: ", ")
        throw DataStoreError(
            .invalidQuery, "the field \"\(name)\" is unknown; use one of \(names)",
            operation: "find records")
    }
}

extension String {
    /// Whether a mail address may begin with the text although its comparable form does not: the text has a quote, or
    /// ends within or after the prefix `xn--` of a domain label.
    fileprivate var mayBeginOtherForm: Bool {
        guard utf8.first != UInt8(ascii: "\"") else { return true }
        guard let at = utf8.lastIndex(of: UInt8(ascii: "@")) else { return false }
        return self[at...].dropFirst().split(separator: ".").contains { label in
            "xn--".hasPrefix(label.prefix(4).lowercased())
        }
    }

    /// The pattern for a mail address, with the ASCII letters of the domain in lowercase. The domain begins after the
    /// last `@`, or else after the last `*`.
    fileprivate var withLowercaseDomain: String {
        let start = utf8.lastIndex(of: UInt8(ascii: "@")) ?? utf8.lastIndex(of: UInt8(ascii: "*"))
        guard let start else { return self }
        return String(self[..<start]) + String(self[start...]).transformed(by: .asciiLowercase)
    }

    fileprivate func transformed(by transform: ValueTransform) -> String { transform(.string(self))?.string ?? self }
}

extension Value {
    /// Creates the stored value that corresponds to an operand of a query.
    package init(_ operand: Operand) {
        self =
            switch operand {
            case .text(let text): .string(text)
            case .integer(let number): .integer(number)
            case .real(let number): .real(number)
            case .bool(let flag): .bool(flag)
            case .instant(let instant): .date(Timestamp(instant))
            }
    }

    /// The operand that corresponds to the value. It is `nil` for data, arrays, records and sealed values,
    /// which queries cannot compare.
    package var operand: Operand? {
        switch self {
        case .string(let text): .text(text)
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .bool(let flag): .bool(flag)
        case .date(let date): .instant(Instant(seconds: date.seconds, nanoseconds: date.nanoseconds))
        case .data, .array, .record, .sealed: nil
        }
    }
}

extension Timestamp {
    /// Creates the timestamp of the point in time that an `Instant` represents.
    package init(_ instant: Instant) {
        self =
            Timestamp(seconds: instant.seconds, nanoseconds: instant.nanoseconds) ?? Timestamp(seconds: instant.seconds)
    }
}
