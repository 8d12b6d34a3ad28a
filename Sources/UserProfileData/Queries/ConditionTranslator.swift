package import DataStoreCore
import DataStoreQueries
package import UserProfileDomain

/// A translator of filters on entities to conditions on their records. It throws a `DataStoreError` with the code
/// `invalidQuery` if a filter uses a field for which the mapping has no translation.
struct ConditionTranslator: FilterTranslator {
    /// The translations of the entity's fields, by their names in the entity.
    let fields: [String: FieldMapping]

    func compare(_ field: String, _ comparison: FilterComparison, _ value: Operand) throws -> Condition {
        let field = try fields.named(field)
        if let sealed = field.sealed, comparison == .equal || comparison == .notEqual {
            let isEqual = try field.sealedCondition([value], sealed)
            return comparison == .equal ? isEqual : .not(isEqual)
        }
        try field.requirePlain()
        return .compare(field.field, Condition.Comparison(comparison), field.value(value))
    }

    func isIn(_ field: String, _ values: [Operand]) throws -> Condition {
        let field = try fields.named(field)
        if let sealed = field.sealed { return try field.sealedCondition(values, sealed) }
        return .isIn(field.field, values.map(field.value))
    }

    func between(_ field: String, _ lower: Operand, _ upper: Operand) throws -> Condition {
        let field = try fields.named(field)
        try field.requirePlain()
        return .between(field.field, field.value(lower), field.value(upper))
    }

    func begins(_ field: String, with text: String, ignoringCase ignoresCase: Bool) throws -> Condition {
        try search(field, text, ignoresCase, inTypedForm: ignoresCase || text.mayBeginOtherForm) { .beginsWith($0, $1) }
    }

    func contains(_ field: String, _ text: String, ignoringCase ignoresCase: Bool) throws -> Condition {
        let found = try search(field, text, ignoresCase, inTypedForm: true) { .contains($0, $1) }
        let (mapping, at) = (try fields.named(field), UInt8(ascii: "@"))
        guard let typed = mapping.typedMailAddress, !ignoresCase, !text.utf8.contains(at) else { return found }
        // The text may be within the domain, where the case of ASCII letters does not matter.
        let lowercased = text.transformed(by: .asciiLowercase)
        let domains = [mapping.field, typed.transformed(by: .asciiLowercase)]
        return .or([found] + domains.map { .contains($0, lowercased, after: at) })
    }

    /// Returns the condition that a field meets a condition on its text. A mail address is searched in its comparable
    /// form and, if `inTypedForm` is `true`, as typed, for which there is no index.
    private func search(
        _ name: String, _ text: String, _ ignoresCase: Bool, inTypedForm: Bool,
        _ condition: (QueryField, String) -> Condition
    ) throws -> Condition {
        let mapping = try fields.named(name)
        try mapping.requirePlain()
        func search(_ field: QueryField, _ text: String) -> Condition {
            let field = ignoresCase ? field.transformed(by: .asciiLowercase) : field
            return switch field.transform {
            case .foldedText: condition(field, text.transformed(by: .foldedText))
            case .asciiLowercase: condition(field, text.transformed(by: .asciiLowercase))
            case .monthDay, .decimal, nil: condition(field, text)
            }
        }
        guard let typed = mapping.typedMailAddress else { return search(mapping.field, text) }
        let form = MailAddress.comparable(text)
        var alternatives = [search(mapping.field, form)]
        if form != text { alternatives.append(search(mapping.field, text)) }
        if inTypedForm { alternatives.append(search(typed, text)) }
        return alternatives.count == 1 ? alternatives[0] : .or(alternatives)
    }

    func exists(_ field: String) throws -> Condition { .exists(try fields.named(field).field) }

    func any(_ parts: String, _ condition: (ConditionTranslator) throws -> Condition) throws -> Condition {
        let parts = try fields.named(parts)
        try parts.requirePlain()
        return .any(parts.field, try condition(ConditionTranslator(fields: parts.parts)))
    }

    func and(_ conditions: [Condition]) -> Condition { .and(conditions) }

    func or(_ conditions: [Condition]) -> Condition { .or(conditions) }

    func not(_ condition: Condition) -> Condition { .not(condition) }
}

extension [String: FieldMapping] {
    /// Returns the translation of a field. Throws `DataStoreError` with the code `invalidQuery` if the field is
    /// unknown.
    func named(_ name: String) throws(DataStoreError) -> FieldMapping {
        if let field = self[name] { return field }
        let names = keys.isEmpty ? "none" : keys.sorted().joined(separator: ", ")
        throw DataStoreError(
            .invalidQuery, "the field \"\(name)\" is unknown; use one of \(names)",
            operation: "find records")
    }
}

extension Condition.Comparison {
    fileprivate init(_ comparison: FilterComparison) {
        self =
            switch comparison {
            case .equal: .equal
            case .notEqual: .notEqual
            case .less: .less
            case .lessOrEqual: .lessOrEqual
            case .greater: .greater
            case .greaterOrEqual: .greaterOrEqual
            }
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

    fileprivate func transformed(by transform: ValueTransform) -> String { transform(.string(self))?.string ?? self }
}

extension Value {
    /// Creates the stored value that corresponds to an operand of a query.
    init(_ operand: Operand) {
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
    var operand: Operand? {
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
