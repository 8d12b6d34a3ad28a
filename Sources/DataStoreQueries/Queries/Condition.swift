// The declarations of this target use these modules. Their re-export serves the files here and the programs that import
// the target.
@_exported public import DataStoreCore
@_exported public import QueryVocabulary

/// A condition that a query evaluates for each record. ``RecordQuery`` defines the meaning of each comparison.
///
/// ```swift
/// let condition = Condition.and([
///     .text(QueryField("mailAddress"), TextMatch(.begins, "vision@")),
///     .between(QueryField("birthday"), .string("1990-01-01"), .string("1999-12-31")),
/// ])
/// ```
///
/// A field can have several values; a comparison then holds if it holds for one of them, and `any` if one of them is a
/// record that meets the whole condition. Operands are values and are never parsed, so no character must be escaped.
package typealias Condition = ConditionTree<QueryField, Value>

extension Condition {
    /// A function that returns whether a record meets a condition. It receives the record and a closure that returns
    /// the id of the record; within ``any(_:_:)``, the id of the outer record.
    package typealias Test = @Sendable (borrowing RecordView, () -> String) throws(DataStoreError) -> Bool

    /// The test of the condition. A query creates it once and applies it to each record.
    ///
    /// Texts, integers, reals and dates at the top level of a record are compared in their encoded form. Only another
    /// field or another kind of value is decoded.
    package var test: Test {
        switch self {
        case .compare(let field, .notEqual, let operand):
            return Condition.not(.compare(field, .equal, operand)).test
        case .compare(let field, let comparison, let operand):
            return Condition.compare(field, comparison, operand)
        case .isIn(let field, let operands):
            return field.test { value in operands.contains { value.isEqual(inConditions: $0) } }
        case .between(let field, let lower, let upper):
            guard field.isSingle else {
                return field.test {
                    FilterComparison.greaterOrEqual.holds($0.ordering(inConditions: lower))
                        && FilterComparison.lessOrEqual.holds($0.ordering(inConditions: upper))
                }
            }
            return Condition.and([.compare(field, .greaterOrEqual, lower), .compare(field, .lessOrEqual, upper)]).test
        case .text(let field, let match):
            let test = TextTest(match)
            return field.textTest { test.holds(for: $0) }
        case .exists(let field): return field.textTest(orOther: { _ in true }) { _ in true }
        case .any(let field, let condition):
            let isMet = condition.test
            return { (record, id) throws(DataStoreError) in
                try field.hasValue(in: record, id: id()) { value throws(DataStoreError) in
                    guard case .record(let inner) = value else { return false }
                    return try isMet(RecordView(inner), id)
                }
            }
        case .and(let conditions): return Condition.joined(conditions[...], isAnd: true)
        case .or(let conditions): return Condition.joined(conditions[...], isAnd: false)
        case .not(let condition):
            let isMet = condition.test
            return { (record, id) throws(DataStoreError) in try !isMet(record, id) }
        }
    }

    /// Returns the test that all of several conditions are met, or one of them. Each half has a test of its own. A loop
    /// over the conditions would retain each of them for each record.
    private static func joined(_ conditions: ArraySlice<Condition>, isAnd: Bool) -> Test {
        guard let last = conditions.last else { return { (_, _) in isAnd } }
        if conditions.count == 1 { return last.test }
        let (left, right) = (
            joined(conditions.prefix(conditions.count / 2), isAnd: isAnd),
            joined(conditions.dropFirst(conditions.count / 2), isAnd: isAnd)
        )
        return { (record, id) throws(DataStoreError) in
            try left(record, id) == isAnd ? try right(record, id) : !isAnd
        }
    }

    private static func compare(_ field: QueryField, _ comparison: FilterComparison, _ operand: Value) -> Test {
        // Only equality compares arrays and records.
        let general =
            comparison == .equal
            ? field.test { $0.isEqual(inConditions: operand) }
            : field.test { comparison.holds($0.ordering(inConditions: operand)) }
        if case .string(let operand) = operand {
            return field.textTest { text in
                operand.withBytes { operand in
                    comparison.holds(text.precedes(operand) ? .before : operand.precedes(text) ? .after : .same)
                }
            }
        }
        guard let name = field.storedName else { return general }
        switch operand {
        case .integer(let operand):
            return { (record, id) throws(DataStoreError) in
                guard let number = try record.integer(of: name) else { return try general(record, id) }
                return comparison.holds(Ordering(number, operand))
            }
        case .real(let operand) where !operand.isNaN:
            return { (record, id) throws(DataStoreError) in
                guard let number = try record.real(of: name), !number.isNaN else { return try general(record, id) }
                return comparison.holds(Ordering(number, operand))
            }
        case .date(let operand):
            return { (record, id) throws(DataStoreError) in
                guard let date = try record.date(of: name) else { return try general(record, id) }
                return comparison.holds(Ordering(date, operand))
            }
        default: return general
        }
    }
}

extension QueryField {
    /// Returns a test that decodes the values of the field.
    fileprivate func test(_ isMet: @escaping @Sendable (Value) -> Bool) -> Condition.Test {
        { (record, id) throws(DataStoreError) in try hasValue(in: record, id: id()) { isMet($0) } }
    }

    /// Returns a test of the bytes of a text of the field, and of a value of any other kind.
    fileprivate func textTest(
        orOther isMetByOther: @escaping @Sendable (Value) -> Bool = { _ in false },
        _ isMet: @escaping @Sendable (Span<UInt8>) -> Bool
    ) -> Condition.Test {
        if isID, transform == nil { return { (_, id) in id().withBytes { isMet($0) } } }
        let general = test { value in
            guard case .string(let text) = value else { return isMetByOther(value) }
            return text.withBytes { isMet($0) }
        }
        guard let name = topLevelName else { return general }
        let transform = transform
        return { (record, id) throws(DataStoreError) in
            let holds: Bool? = try record.withText(of: name) { text in
                guard let transform else { return isMet(text) }
                // The transformed text may not be a part of the stored one.
                return transform.part(of: text).map { isMet(text.extracting($0)) }
            }
            if let holds { return holds }
            return try general(record, id)
        }
    }
}

extension FilterComparison {
    /// Returns whether this comparison holds for two values in the given order. Values without an order meet none.
    fileprivate func holds(_ ordering: Ordering?) -> Bool {
        switch self {
        case .equal: ordering == .same
        case .notEqual: ordering != .same
        case .less: ordering == .before
        case .greater: ordering == .after
        case .lessOrEqual: ordering == .before || ordering == .same
        case .greaterOrEqual: ordering == .after || ordering == .same
        }
    }
}
