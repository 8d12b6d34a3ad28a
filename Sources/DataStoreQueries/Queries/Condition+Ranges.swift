extension Condition {
    /// Returns the ranges of an index that contain the entries of all records that meet the condition. For the field
    /// `id`, returns the ranges of ids, because records are stored in the order of their ids.
    ///
    /// - Parameter indexed: The indexed field, or `id`. If a record can have several values of the field, the ranges of
    ///   an `and` come from only one of its conditions, because each condition may be met by a different value.
    /// - Returns: The ranges, or `nil` if the condition does not limit the index.
    func ranges(of indexed: QueryField) -> ConditionRanges? {
        switch self {
        case .compare(let field, let comparison, let operand) where field == indexed:
            operand.ranges(comparison, of: indexed)
        case .isIn(let field, let operands) where field == indexed:
            ConditionRanges(
                operands.flatMap { $0.ranges(.equal, of: indexed)?.ranges ?? [] }, .points,
                isExact: indexed.isID || operands.allSatisfy(\.isOrdered))
        case .between(let field, let lower, let upper) where field == indexed:
            // Both bounds apply to the same value, even if a record has several.
            lower.ranges(.greaterOrEqual, of: indexed).flatMap { lower in
                upper.ranges(.lessOrEqual, of: indexed).map(lower.intersection)
            }
        case .text(let field, let match): match.ranges(from: field, in: indexed)
        case .exists(let field) where field == indexed && !field.isID:
            ConditionRanges([IDRange(lower: [Value.bool(false).indexTag], upper: [0xFF])], .existence, isExact: true)
        case .not(.exists(let field)) where field == indexed && !field.isID:
            ConditionRanges([IDRange(prefix: Value.missingIndexText)], .oneSided, isExact: true)
        case .any(let field, let condition):
            indexed.part(after: field).flatMap { condition.ranges(of: $0)?.ofValues }
        case .and(let conditions):
            Condition.ranges(ofAll: conditions.map { $0.ranges(of: indexed) }, indexed.isSingle)
        case .or(let conditions):
            conditions.reduce(ConditionRanges([], .points, isExact: true)) { union, condition in
                union.flatMap { union in condition.ranges(of: indexed).map(union.union) }
            }
        case .compare, .isIn, .between, .exists, .not: nil
        }
    }

    /// Returns the residual condition: the parts of the condition that the ranges of an index do not guarantee, or
    /// `nil` if all records in the ranges meet the condition.
    func residual(for field: QueryField) -> Condition? {
        if ranges(of: field)?.isExact == true { return nil }
        // If a record can have several values, the ranges come from only one part of the condition.
        guard field.isSingle, case .and(let conditions) = self else { return self }
        let residuals = conditions.compactMap { $0.residual(for: field) }
        return residuals.count < 2 ? residuals.first : .and(residuals)
    }

    /// The conditions of which each matching record meets at least one, or `nil` if the condition contains no `or`.
    var alternatives: [Condition]? {
        switch self {
        case .or(let conditions): conditions.flatMap { $0.alternatives ?? [$0] }
        case .and(let conditions): conditions.lazy.compactMap(\.alternatives).first
        case .compare, .isIn, .between, .text, .exists, .any, .not: nil
        }
    }

    private static func ranges(ofAll parts: [ConditionRanges?], _ isSingle: Bool) -> ConditionRanges? {
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
        return areAll ? ranges : ConditionRanges(ranges.ranges, ranges.strength, isExact: false)
    }
}

extension TextMatch {
    /// Returns the ranges of an index with the entries of all matching texts, or `nil` if the index has no such
    /// ranges. If the case is ignored, an index of the folded texts has them.
    fileprivate func ranges(from field: QueryField, in indexed: QueryField) -> ConditionRanges? {
        let isIndexed = field == indexed || ignoresCase && field == indexed.stored
        guard isIndexed, !ignoresCase || indexed.transform == .foldedText else { return nil }
        if kind == .equals, separator == nil {
            return Value.string(ignoresCase ? text.caseFolded : text).ranges(.equal, of: indexed)
        }
        let beginning = separator == nil ? literalBeginning : ""
        if indexed.isID, beginning.isEmpty { return nil }
        let isBeginning = kind == .begins && separator == nil
        return ConditionRanges(
            [IDRange(prefix: indexed.beginning(ignoresCase ? beginning.caseFolded : beginning))],
            isBeginning || !beginning.isEmpty ? .twoSided : .existence, isExact: isBeginning)
    }

    /// The text before the first wildcard of the pattern.
    private var literalBeginning: String {
        var beginning = ""
        for case .scalar(let scalar) in pattern.prefix(while: { $0 != .any && $0 != .one }) {
            beginning.unicodeScalars.append(scalar)
        }
        return beginning
    }
}

extension QueryField {
    /// Returns the bytes with which the index texts, or ids, of all texts with a prefix begin.
    fileprivate func beginning(_ text: String) -> [UInt8] {
        if isID { return Array(text.utf8) }
        var bytes = [Value.string("").indexTag]
        Value.appendBeginning(text, to: &bytes)
        return bytes
    }
}

extension ConditionRanges {
    /// The ranges, or `nil` if they include missing values.
    ///
    /// For the elements of an array, an index has an entry for a missing value only if no element has the field. Ranges
    /// with missing values would therefore omit a record in which only some elements lack the field.
    fileprivate var ofValues: ConditionRanges? {
        ranges.contains { $0.lower.starts(with: Value.missingIndexText) } ? nil : self
    }
}

extension Value {
    /// Returns the ranges of index texts, or of ids as UTF-8 bytes, for which a comparison of a field with this operand
    /// holds. Returns `nil` if the comparison does not limit them to ranges, or the operand cannot be an id.
    fileprivate func ranges(_ comparison: FilterComparison, of field: QueryField) -> ConditionRanges? {
        // The texts that are equal to the operand, and all texts that conditions can compare with it.
        let value: IDRange
        let comparable: IDRange
        if field.isID {
            guard case .string(let text) = self else { return nil }
            (value, comparable) = (.from(text).through(text), IDRange(lower: [], upper: [0xFF]))
        } else {
            let end =
                switch self {
                case .integer, .real: Value.notANumberIndexText
                default: [indexTag, 0xFF]
                }
            (value, comparable) = (IDRange(prefix: indexText), IDRange(lower: [indexTag], upper: end))
        }
        // Sealed values without a blind are not less than, equal to or greater than the operand.
        let isSealed = if case .sealed = self { true } else { false }
        func side(_ lower: [UInt8], _ upper: [UInt8]) -> ConditionRanges {
            ConditionRanges(
                [IDRange(lower: lower, upper: upper)], .oneSided, isExact: field.isID || isOrdered && !isSealed)
        }
        return switch comparison {
        case .notEqual: nil
        case .equal: ConditionRanges([value], .points, isExact: field.isID || isOrdered)
        case .less: side(comparable.lower, value.lower)
        case .lessOrEqual: side(comparable.lower, value.end)
        case .greater: side(value.end, comparable.end)
        case .greaterOrEqual: side(value.lower, comparable.end)
        }
    }

    /// Whether comparisons such as `less` apply to the value. They do not apply to NaN, arrays and records, nor
    /// to sealed values without a blind.
    package var isOrdered: Bool {
        switch self {
        case .string, .integer, .bool, .date, .data: true
        case .sealed(let bytes): SealedValue.blind(of: bytes) != nil
        case .real, .array, .record: ordering(inConditions: self) == .same
        }
    }
}
