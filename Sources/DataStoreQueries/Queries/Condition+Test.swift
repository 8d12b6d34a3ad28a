package import DataStoreCore

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
            let isEqual = Condition.compare(field, .equal, operand).test
            return { (record, id) throws(DataStoreError) in try !isEqual(record, id) }
        case .compare(let field, let comparison, let operand):
            return Condition.compare(field, comparison, operand)
        case .isIn(let field, let operands):
            return field.test { value in operands.contains { value.isEqual(inConditions: $0) } }
        case .between(let field, let lower, let upper):
            guard field.isSingle else {
                return field.test {
                    Comparison.greaterOrEqual.holds($0.ordering(inConditions: lower))
                        && Comparison.lessOrEqual.holds($0.ordering(inConditions: upper))
                }
            }
            return Condition.and([.compare(field, .greaterOrEqual, lower), .compare(field, .lessOrEqual, upper)]).test
        case .beginsWith(let field, let text):
            return field.textTest(text) { (text, start) in text.begins(with: start) }
        case .contains(let field, let text, let separator):
            return field.textTest(text) { (text, part) in text.contains(part, after: separator) }
        case .exists(let field): return field.test { _ in true }
        case .any(let field, let condition):
            let isMet = condition.test
            return { (record, id) throws(DataStoreError) in
                try field.hasValue(in: record, id: id()) { value throws(DataStoreError) in
                    guard case .record(let inner) = value else { return false }
                    return try isMet(RecordView(inner), id)
                }
            }
        case .and(let conditions):
            let tests = conditions.map(\.test)
            return { (record, id) throws(DataStoreError) in
                for isMet in tests where try !isMet(record, id) { return false }
                return true
            }
        case .or(let conditions):
            let tests = conditions.map(\.test)
            return { (record, id) throws(DataStoreError) in
                for isMet in tests where try isMet(record, id) { return true }
                return false
            }
        case .not(let condition):
            let isMet = condition.test
            return { (record, id) throws(DataStoreError) in try !isMet(record, id) }
        }
    }

    private static func compare(_ field: QueryField, _ comparison: Comparison, _ operand: Value) -> Test {
        // Only equality compares arrays and records.
        let general =
            comparison == .equal
            ? field.test { $0.isEqual(inConditions: operand) }
            : field.test { comparison.holds($0.ordering(inConditions: operand)) }
        guard let name = field.storedName else { return general }
        switch operand {
        case .string(let operand):
            return field.textTest(operand) { (text, operand) in
                comparison.holds(text.precedes(operand) ? .before : operand.precedes(text) ? .after : .same)
            }
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

    /// Returns a test that compares the bytes of a text of the field with those of an operand.
    fileprivate func textTest(
        _ operand: String, _ isMet: @escaping @Sendable (Span<UInt8>, Span<UInt8>) -> Bool
    ) -> Condition.Test {
        let general = test { value in
            guard case .string(let text) = value else { return false }
            return text.withBytes { text in operand.withBytes { isMet(text, $0) } }
        }
        guard let name = storedName else { return general }
        return { (record, id) throws(DataStoreError) in
            if let holds = try record.withText(of: name, { text in operand.withBytes { isMet(text, $0) } }) {
                return holds
            }
            return try general(record, id)
        }
    }
}

extension Condition.Comparison {
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
