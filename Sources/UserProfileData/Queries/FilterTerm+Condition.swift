import DataStoreCore
import DataStoreQueries
import UserProfileDomain

extension FilterTerm {
    /// Returns the term as a condition on records.
    ///
    /// - Parameter fields: The mappings of the entity's fields, by their names.
    /// - Returns: The condition.
    /// - Throws: `DataStoreError` with the code `invalidQuery` if the mapping lacks a field.
    func condition(_ fields: [String: FieldMapping]) throws(DataStoreError) -> Condition {
        switch self {
        case .compare(let name, let comparison, let operand):
            .compare(try fields.named(name).field, Condition.Comparison(comparison), Value(operand))
        case .isIn(let name, let operands): .isIn(try fields.named(name).field, operands.map(Value.init))
        case .between(let name, let lower, let upper):
            .between(try fields.named(name).field, Value(lower), Value(upper))
        case .begins(let name, let text, let ignoresCase):
            .begins(try fields.named(name).field.ignoringCase(ignoresCase), with: text)
        case .contains(let name, let text, let ignoresCase):
            .contains(text, in: try fields.named(name).field.ignoringCase(ignoresCase))
        case .exists(let name): .exists(try fields.named(name).field)
        case .any(let name, let term): try FilterTerm.any(term, of: fields.named(name))
        case .and(let terms): .and(try FilterTerm.conditions(terms, fields))
        case .or(let terms): .or(try FilterTerm.conditions(terms, fields))
        case .not(let term): .not(try term.condition(fields))
        }
    }

    private static func any(_ term: FilterTerm, of parts: FieldMapping) throws(DataStoreError) -> Condition {
        .any(parts.field, try term.condition(parts.parts))
    }

    private static func conditions(
        _ terms: [FilterTerm], _ fields: [String: FieldMapping]
    ) throws(DataStoreError) -> [Condition] {
        var conditions: [Condition] = []
        for term in terms { conditions.append(try term.condition(fields)) }
        return conditions
    }
}

extension [String: FieldMapping] {
    /// Returns the mapping of a field.
    func named(_ name: String) throws(DataStoreError) -> FieldMapping {
        if let field = self[name] { return field }
        let names = keys.isEmpty ? "none" : keys.sorted().joined(separator: ", ")
        throw DataStoreError(
            .invalidQuery, "the field \"\(name)\" is unknown; use one of \(names)",
            operation: "find records")
    }
}

extension Condition.Comparison {
    fileprivate init(_ comparison: FilterTerm.Comparison) {
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
    /// Returns the condition that a string begins with another one. In a mail address, the part after an `@` is
    /// compared without regard to case.
    fileprivate static func begins(_ field: QueryField, with text: String) -> Condition {
        switch field.transform {
        case .comparableMailAddress:
            .or([.beginsWith(field, text), .beginsWith(field, text.transformed(by: .comparableMailAddress))])
        case .foldedText: .beginsWith(field, text.transformed(by: .foldedText))
        case .asciiLowercase: .beginsWith(field, text.transformed(by: .asciiLowercase))
        case .mailAddressDomain, .monthDay, nil: .beginsWith(field, text)
        }
    }

    /// Returns the condition that a string contains another one.
    fileprivate static func contains(_ text: String, in field: QueryField) -> Condition {
        switch field.transform {
        case .comparableMailAddress:
            // Text without an `@` may be in the local part, which is case-sensitive, or in the domain, which is not.
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
        case .mailAddressDomain, .monthDay, nil: .contains(field, text)
        }
    }
}

extension QueryField {
    /// The same field with ASCII letters in lowercase if case is ignored. An id has no transforms.
    fileprivate func ignoringCase(_ ignoresCase: Bool) -> QueryField {
        ignoresCase ? transformed(by: .asciiLowercase) : self
    }
}

extension String {
    fileprivate func transformed(by transform: ValueTransform) -> String { transform(.string(self))?.string ?? self }
}
