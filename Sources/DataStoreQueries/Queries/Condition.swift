package import DataStoreCore

/// A condition on records. ``RecordQuery`` defines what each comparison means.
///
/// ```swift
/// let condition = Condition.and([
///     .beginsWith(QueryField("mailAddress"), "vision@"),
///     .between(QueryField("birthday"), .string("1990-01-01"), .string("1999-12-31")),
/// ])
/// ```
///
/// Operands are values and not text with a syntax, so nothing has to be escaped.
package indirect enum Condition: Sendable {
    /// A comparison of a field with a value.
    package enum Comparison: Hashable, Sendable, CaseIterable {
        /// The field has an equal value.
        case equal
        /// The negation of ``equal``. It also holds if the field is missing.
        case notEqual
        /// The field has a lesser value.
        case less
        /// The field has a lesser or equal value.
        case lessOrEqual
        /// The field has a greater value.
        case greater
        /// The field has a greater or equal value.
        case greaterOrEqual
    }

    /// Compares a field with a value.
    case compare(QueryField, Comparison, Value)
    /// Whether the field has one of several values. Without values, it never holds.
    case isIn(QueryField, [Value])
    /// Whether the field has a value in a closed range, given by its lower and upper bound.
    case between(QueryField, Value, Value)
    /// Whether a value of the field is a string that begins with a text. Every string begins with the empty text.
    case beginsWith(QueryField, String)
    /// Whether a value of the field is a string that contains a text. Every string contains the empty text.
    case contains(QueryField, String)
    /// Whether the field has a value.
    case exists(QueryField)
    /// Whether a value of the field is a record that meets a condition on the fields of that record. If the field has
    /// several values, one of them must meet the whole condition.
    case any(QueryField, Condition)
    /// Whether all conditions hold. Without conditions, it always holds.
    case and([Condition])
    /// Whether at least one condition holds. Without conditions, it never holds.
    case or([Condition])
    /// Whether a condition does not hold.
    case not(Condition)
}

extension Condition {
    /// Returns whether a record meets the condition.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - id: The id of the record. Within ``any(_:_:)`` it is the id of the outer record.
    /// - Returns: Whether the record meets the condition.
    /// - Throws: `DataStoreError` with the code `corrupted` if the record cannot be read.
    package func holds(in record: borrowing RecordView, id: String) throws(DataStoreError) -> Bool {
        switch self {
        case .compare(let field, .notEqual, let operand):
            return try !Condition.compare(field, .equal, operand).holds(in: record, id: id)
        case .compare(let field, let comparison, let operand):
            return try field.hasValue(in: record, id: id) { comparison.holds($0, operand) }
        case .isIn(let field, let operands):
            return try field.hasValue(in: record, id: id) { value in
                operands.contains { value.isEqual(inConditions: $0) }
            }
        case .between(let field, let lower, let upper):
            return try field.hasValue(in: record, id: id) {
                Comparison.greaterOrEqual.holds($0, lower) && Comparison.lessOrEqual.holds($0, upper)
            }
        case .beginsWith(let field, let text):
            return try field.hasValue(in: record, id: id) {
                if case .string(let string) = $0 { string.beginsWithBytes(of: text) } else { false }
            }
        case .contains(let field, let text):
            return try field.hasValue(in: record, id: id) {
                if case .string(let string) = $0 { string.containsBytes(of: text) } else { false }
            }
        case .exists(let field):
            return try field.hasValue(in: record, id: id) { _ in true }
        case .any(let field, let condition):
            return try field.hasValue(in: record, id: id) { value throws(DataStoreError) in
                guard case .record(let inner) = value else { return false }
                return try condition.holds(in: RecordView(inner), id: id)
            }
        case .and(let conditions):
            for condition in conditions where try !condition.holds(in: record, id: id) { return false }
            return true
        case .or(let conditions):
            for condition in conditions where try condition.holds(in: record, id: id) { return true }
            return false
        case .not(let condition): return try !condition.holds(in: record, id: id)
        }
    }
}

extension Condition.Comparison {
    /// Returns whether a value of a field compares to an operand in this way.
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
