import DataStoreCore

extension Condition {
    /// Returns the ranges of an index outside of which no record meets the condition.
    ///
    /// - Parameter indexed: The field of the index. If a record can have several values, each part of an `and` may hold
    ///   for another one.
    /// - Returns: The ranges, or `nil` if the condition does not limit them.
    func ranges(of indexed: QueryField) -> IndexRanges? {
        switch self {
        case .compare(let field, let comparison, let operand) where field == indexed:
            comparison.ranges(operand)
        case .isIn(let field, let operands) where field == indexed:
            IndexRanges(
                operands.map { ByteRange(prefix: $0.indexText) }, .points, isExact: operands.allSatisfy(\.isOrdered))
        case .between(let field, let lower, let upper) where field == indexed:
            // Both are of the same value, also where a record has several.
            Comparison.greaterOrEqual.ranges(lower).flatMap { lower in
                Comparison.lessOrEqual.ranges(upper).map(lower.intersection)
            }
        case .beginsWith(let field, let text) where field == indexed:
            IndexRanges([ByteRange(prefix: Condition.beginning(text))], .twoSided, isExact: true)
        case .contains(let field, _) where field == indexed:
            IndexRanges([ByteRange(prefix: Condition.beginning(""))], .existence, isExact: false)
        case .exists(let field) where field == indexed:
            IndexRanges([ByteRange([Value.bool(false).indexTag], [0xFF])], .existence, isExact: true)
        case .not(.exists(let field)) where field == indexed:
            IndexRanges([ByteRange(prefix: Value.missingIndexText)], .oneSided, isExact: true)
        case .any(let field, let condition):
            indexed.part(after: field).flatMap { condition.ranges(of: $0)?.ofValues }
        case .and(let conditions):
            Condition.ranges(ofAll: conditions.map { $0.ranges(of: indexed) }, indexed.isSingle)
        case .or(let conditions): Condition.ranges(ofOne: conditions.map { $0.ranges(of: indexed) })
        default: nil
        }
    }

    /// What is left of the condition for records that are in its ranges of an index, where those do not say all.
    func rest(besides field: QueryField) -> Condition {
        // Where a record has several values, ranges are of one part of the condition only.
        guard field.isSingle, case .and(let conditions) = self else { return self }
        let rest = conditions.compactMap { condition in
            condition.ranges(of: field)?.isExact == true ? nil : condition.rest(besides: field)
        }
        return rest.count == 1 ? rest[0] : .and(rest)
    }

    private static func beginning(_ text: String) -> [UInt8] {
        var bytes = [Value.string("").indexTag]
        Value.appendBeginning(text, to: &bytes)
        return bytes
    }

    static func ranges(ofAll parts: [IndexRanges?], _ isSingle: Bool) -> IndexRanges? {
        let some = parts.compactMap(\.self)
        guard var ranges = some.first else { return nil }
        if isSingle {
            ranges = some.dropFirst().reduce(ranges) { $0.intersection($1) }
        } else {
            // Each may hold for another value: the record is in all of the ranges, and one is enough to find it.
            ranges = some.dropFirst().reduce(ranges) { $1.strength > $0.strength ? $1 : $0 }
        }
        let areAll = isSingle ? some.count == parts.count : parts.count == 1
        return areAll ? ranges : IndexRanges(ranges.ranges, ranges.strength, isExact: false)
    }

    static func ranges(ofOne parts: [IndexRanges?]) -> IndexRanges? {
        var union = IndexRanges([], .points, isExact: true)
        for part in parts {
            guard let part else { return nil }
            union = union.union(part)
        }
        return union
    }
}

extension IndexRanges {
    /// The ranges without what is missing: of a list of records, where only some have a field, the index has the values
    /// alone.
    fileprivate var ofValues: IndexRanges? {
        let values = ranges.filter { !$0.lower.starts(with: Value.missingIndexText) }
        return values.count == ranges.count ? self : nil
    }
}

extension Condition.Comparison {
    /// Where the values are that stand so to an operand; nil where they can be anywhere.
    fileprivate func ranges(_ operand: Value) -> IndexRanges? {
        let text = operand.indexText
        func side(_ lower: [UInt8], _ upper: [UInt8]) -> IndexRanges {
            IndexRanges([ByteRange(lower, upper)], .oneSided, isExact: operand.isOrdered)
        }
        return switch self {
        case .notEqual: nil
        case .equal: IndexRanges(value: text, isExact: operand.isOrdered)
        case .less: side([operand.indexTag], text)
        case .lessOrEqual: side([operand.indexTag], text.ended)
        case .greater: side(text.ended, end(operand))
        case .greaterOrEqual: side(text, end(operand))
        }
    }

    /// What comes after all values that have an order with an operand.
    private func end(_ operand: Value) -> [UInt8] {
        switch operand {
        case .integer, .real: Value.notANumberIndexText
        default: [operand.indexTag, 0xFF]
        }
    }
}

extension Value {
    /// Whether conditions compare it as sorts do.
    fileprivate var isOrdered: Bool {
        switch self {
        case .string, .integer, .bool, .date, .data: true
        case .real, .array, .record: ordering(inConditions: self) == .same
        }
    }
}
