import DataStoreCore
import DataStoreQueries
import UserProfileDomain

/// A translator of filters on entities to conditions on their records. It throws a `DataStoreError` with the code
/// `invalidQuery` if a filter uses a field for which the mapping has no translation.
struct ConditionTranslator: FilterTranslator {
    /// The translations of the entity's fields, by their names in the entity.
    let fields: [String: FieldMapping]

    func compare(_ field: String, _ comparison: FilterComparison, _ value: Operand) throws -> Condition {
        let field = try fields.named(field)
        return .compare(field.field, Condition.Comparison(comparison), field.value(value))
    }

    func isIn(_ field: String, _ values: [Operand]) throws -> Condition {
        let field = try fields.named(field)
        return .isIn(field.field, values.map(field.value))
    }

    func between(_ field: String, _ lower: Operand, _ upper: Operand) throws -> Condition {
        let field = try fields.named(field)
        return .between(field.field, field.value(lower), field.value(upper))
    }

    func begins(_ field: String, with text: String, ignoringCase ignoresCase: Bool) throws -> Condition {
        .begins(try fields.named(field).field.ignoringCase(ignoresCase), with: text)
    }

    func contains(_ field: String, _ text: String, ignoringCase ignoresCase: Bool) throws -> Condition {
        .contains(text, in: try fields.named(field).field.ignoringCase(ignoresCase))
    }

    func exists(_ field: String) throws -> Condition { .exists(try fields.named(field).field) }

    func any(_ parts: String, _ condition: (ConditionTranslator) throws -> Condition) throws -> Condition {
        let parts = try fields.named(parts)
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

extension Condition {
    /// Returns the condition that the string in a field has a prefix. In a mail address, the comparison ignores the
    /// case of ASCII letters in the domain.
    fileprivate static func begins(_ field: QueryField, with text: String) -> Condition {
        switch field.transform {
        case .comparableMailAddress:
            .or([.beginsWith(field, text), .beginsWith(field, text.transformed(by: .comparableMailAddress))])
        case .foldedText: .beginsWith(field, text.transformed(by: .foldedText))
        case .asciiLowercase: .beginsWith(field, text.transformed(by: .asciiLowercase))
        case .mailAddressDomain, .monthDay, .decimal, nil: .beginsWith(field, text)
        }
    }

    /// Returns the condition that the string in a field contains a substring. In a mail address, the comparison ignores
    /// the case of ASCII letters in the domain.
    fileprivate static func contains(_ text: String, in field: QueryField) -> Condition {
        switch field.transform {
        case .comparableMailAddress:
            // Text without an `@` may occur in the local part, which is case-sensitive, or in the domain, which is not.
            .or(
                [.contains(field, text), .contains(field, text.transformed(by: .comparableMailAddress))]
                    + (text.utf8.contains(UInt8(ascii: "@"))
                        ? []
                        : [
                            .contains(
                                field.transformed(by: .mailAddressDomain),
                                "@\(text)".transformed(by: .mailAddressDomain))
                        ]))
        case .foldedText: .contains(field, text.transformed(by: .foldedText))
        case .asciiLowercase: .contains(field, text.transformed(by: .asciiLowercase))
        case .mailAddressDomain, .monthDay, .decimal, nil: .contains(field, text)
        }
    }
}

extension QueryField {
    /// If `ignoresCase` is `true`, returns a field that lowercases the ASCII letters of its values. Otherwise, returns
    /// the field itself.
    fileprivate func ignoringCase(_ ignoresCase: Bool) -> QueryField {
        ignoresCase ? transformed(by: .asciiLowercase) : self
    }
}

extension String {
    fileprivate func transformed(by transform: ValueTransform) -> String { transform(.string(self))?.string ?? self }
}
