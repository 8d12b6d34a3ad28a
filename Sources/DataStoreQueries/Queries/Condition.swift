package import DataStoreCore

/// A condition that a query evaluates for each record. ``RecordQuery`` defines the meaning of each comparison.
///
/// ```swift
/// let condition = Condition.and([
///     .beginsWith(QueryField("mailAddress"), "vision@"),
///     .between(QueryField("birthday"), .string("1990-01-01"), .string("1999-12-31")),
/// ])
/// ```
///
/// Operands are values and are never parsed, so no character must be escaped.
package indirect enum Condition: Sendable {
    /// An operator that compares the value of a field with a given value.
    package enum Comparison: Hashable, Sendable, CaseIterable {
        /// The field has a value that equals the given value.
        case equal
        /// No value of the field equals the given value. A field without a value meets this comparison, too.
        case notEqual
        /// The field has a value that is less than the given value.
        case less
        /// The field has a value that is less than or equal to the given value.
        case lessOrEqual
        /// The field has a value that is greater than the given value.
        case greater
        /// The field has a value that is greater than or equal to the given value.
        case greaterOrEqual
    }

    /// True if the comparison of the field with the value holds.
    case compare(QueryField, Comparison, Value)
    /// True if the value of the field is one of the given values. False if the array is empty.
    case isIn(QueryField, [Value])
    /// True if the value of the field is in a closed range. The values are the lower and the upper bound.
    case between(QueryField, Value, Value)
    /// True if the value of the field is a string with the given prefix. Every string has the empty prefix.
    case beginsWith(QueryField, String)
    /// True if the value of the field is a string that contains the given substring. Every string contains the empty
    /// string. If `after` is an ASCII character, only the text after its last occurrence is searched.
    case contains(QueryField, String, after: UInt8? = nil)
    /// True if the field has a value.
    case exists(QueryField)
    /// True if the value of the field is a record that meets a condition on its own fields. If the field has several
    /// values, one of them must meet the whole condition.
    case any(QueryField, Condition)
    /// True if all conditions are true, or if the array is empty.
    case and([Condition])
    /// True if at least one condition is true. False if the array is empty.
    case or([Condition])
    /// True if the condition is false.
    case not(Condition)
}

extension Condition {
    /// Returns whether a record meets the condition.
    ///
    /// - Parameters:
    ///   - record: The record to examine.
    ///   - id: The id of the record. Within ``any(_:_:)``, it is the id of the outer record.
    /// - Returns: Whether the record meets the condition.
    /// - Throws: `DataStoreError` with the code `corrupted` if the record cannot be read.
    package func holds(
        in record: borrowing RecordView, id: @autoclosure () -> String
    ) throws(DataStoreError) -> Bool {
        // Texts are compared as bytes. A value of another kind, and a field that is not a stored text, needs a value.
        if let holds = try holdsForText(in: record) { return holds }
        switch self {
        case .compare(let field, .notEqual, let operand):
            return try !Condition.compare(field, .equal, operand).holds(in: record, id: id())
        case .compare(let field, let comparison, let operand):
            return try field.hasValue(in: record, id: id()) { comparison.holds($0, operand) }
        case .isIn(let field, let operands):
            return try field.hasValue(in: record, id: id()) { value in
                operands.contains { value.isEqual(inConditions: $0) }
            }
        case .between(let field, let lower, let upper):
            return try field.hasValue(in: record, id: id()) {
                Comparison.greaterOrEqual.holds($0, lower) && Comparison.lessOrEqual.holds($0, upper)
            }
        case .beginsWith(let field, let text):
            return try field.hasValue(in: record, id: id()) {
                if case .string(let string) = $0 { string.beginsWithBytes(of: text) } else { false }
            }
        case .contains(let field, let text, let separator):
            return try field.hasValue(in: record, id: id()) {
                if case .string(let string) = $0 { string.containsBytes(of: text, after: separator) } else { false }
            }
        case .exists(let field):
            return try field.hasValue(in: record, id: id()) { _ in true }
        case .any(let field, let condition):
            return try field.hasValue(in: record, id: id()) { value throws(DataStoreError) in
                guard case .record(let inner) = value else { return false }
                return try condition.holds(in: RecordView(inner), id: id())
            }
        case .and(let conditions):
            for condition in conditions where try !condition.holds(in: record, id: id()) { return false }
            return true
        case .or(let conditions):
            for condition in conditions where try condition.holds(in: record, id: id()) { return true }
            return false
        case .not(let condition): return try !condition.holds(in: record, id: id())
        }
    }
}

extension Condition {
    /// Returns whether the text of a stored field meets the condition. Returns `nil` if the condition is not about a
    /// text, or the field is not a stored text.
    private func holdsForText(in record: borrowing RecordView) throws(DataStoreError) -> Bool? {
        switch self {
        case .compare(let field, let comparison, .string(let operand)):
            try field.storedText(in: record) { text in operand.withBytes { comparison.holds(text, $0) } }
        case .beginsWith(let field, let operand):
            try field.storedText(in: record) { text in operand.withBytes { text.begins(with: $0) } }
        case .contains(let field, let operand, let separator):
            try field.storedText(in: record) { text in operand.withBytes { text.contains($0, after: separator) } }
        default: nil
        }
    }
}

extension Condition.Comparison {
    /// Returns whether this comparison holds for the bytes of two texts.
    fileprivate func holds(_ text: Span<UInt8>, _ operand: Span<UInt8>) -> Bool {
        switch self {
        case .equal: text.count == operand.count && text.begins(with: operand)
        case .notEqual: text.count != operand.count || !text.begins(with: operand)
        case .less: text.precedes(operand)
        case .greater: operand.precedes(text)
        case .lessOrEqual: !operand.precedes(text)
        case .greaterOrEqual: !text.precedes(operand)
        }
    }

    /// Returns whether this comparison holds for the value of a field and an operand.
    fileprivate func holds(_ value: Value, _ operand: Value) -> Bool {
        switch self {
        case .equal: return value.isEqual(inConditions: operand)
        case .notEqual: return !value.isEqual(inConditions: operand)
        case .less: return value.ordering(inConditions: operand) == .before
        case .greater: return value.ordering(inConditions: operand) == .after
        case .lessOrEqual:
            let ordering = value.ordering(inConditions: operand)
            return ordering == .before || ordering == .same
        case .greaterOrEqual:
            let ordering = value.ordering(inConditions: operand)
            return ordering == .after || ordering == .same
        }
    }
}
