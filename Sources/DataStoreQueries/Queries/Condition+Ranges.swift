import DataStoreCore

extension Condition {
    /// Returns the ranges of an index that contain the entries of all records that meet the condition.
    ///
    /// - Parameter indexed: The indexed field. If a record can have several values of the field, the ranges of an `and`
    ///   come from only one of its conditions, because each condition may be met by a different value.
    /// - Returns: The ranges, or `nil` if the condition does not limit the index.
    func ranges(of indexed: QueryField) -> IndexRanges? {
        switch self {
        case .compare(let field, let comparison, let operand) where field == indexed:
            comparison.ranges(operand)
        case .isIn(let field, let operands) where field == indexed:
            IndexRanges(
                operands.map { ByteRange(prefix: $0.indexText) }, .points, isExact: operands.allSatisfy(\.isOrdered))
        case .between(let field, let lower, let upper) where field == indexed:
            // Both bounds apply to the same value, even if a record has several.
            Comparison.greaterOrEqual.ranges(lower).flatMap { lower in
                Comparison.lessOrEqual.ranges(upper).map(lower.intersection)
            }
        case .beginsWith(let field, let text) where field == indexed:
            IndexRanges([ByteRange(prefix: Condition.beginning(text))], .twoSided, isExact: true)
        case .contains(let field, _, _) where field == indexed:
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

    /// Returns the residual condition: the parts of the condition that the ranges of an index do not guarantee.
    func residual(for field: QueryField) -> Condition {
        // If a record can have several values, the ranges come from only one part of the condition.
        guard field.isSingle, case .and(let conditions) = self else { return self }
        let residuals = conditions.compactMap { condition in
            condition.ranges(of: field)?.isExact == true ? nil : condition.residual(for: field)
        }
        return residuals.count == 1 ? residuals[0] : .and(residuals)
    }

    /// The conditions of which each matching record meets at least one, or `nil` if the condition contains no `or`.
    var alternatives: [Condition]? {
        switch self {
        case .or(let conditions): conditions.flatMap { $0.alternatives ?? [$0] }
        case .and(let conditions): conditions.lazy.compactMap(\.alternatives).first
        default: nil
        }
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
            // Different values may meet the parts. A matching record has an entry in the ranges of each part, so the
            // narrowest part suffices.
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
    /// The ranges, or `nil` if they include missing values.
    ///
    /// For the elements of an array, an index has an entry for a missing value only if no element has the field. Ranges
    /// with missing values would therefore omit a record in which only some elements lack the field.
    fileprivate var ofValues: IndexRanges? {
        let values = ranges.filter { !$0.lower.starts(with: Value.missingIndexText) }
        return values.count == ranges.count ? self : nil
    }
}

extension Condition.Comparison {
    /// Returns the index ranges of the values for which this comparison with an operand holds, or `nil` if the
    /// comparison does not limit the values to ranges.
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

    /// Returns the exclusive upper bound of the index texts of all values that conditions can compare with an operand.
    private func end(_ operand: Value) -> [UInt8] {
        switch operand {
        case .integer, .real: Value.notANumberIndexText
        default: [operand.indexTag, 0xFF]
        }
    }
}

extension Value {
    /// Whether comparisons such as `less` apply to the value. They do not apply to NaN, arrays and records.
    var isOrdered: Bool {
        switch self {
        case .string, .integer, .bool, .date, .data: true
        case .real, .array, .record: ordering(inConditions: self) == .same
        }
    }
}
