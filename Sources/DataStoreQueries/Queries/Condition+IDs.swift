import DataStoreCore

extension Condition {
    /// The ranges that contain the ids of all records that meet the condition, or `nil` if the condition does not limit
    /// the ids. A query by id needs no index, because records are stored in the order of their ids.
    var idRanges: IndexRanges? {
        switch self {
        case .compare(let field, let comparison, .string(let text)) where field.isID: comparison.idRanges(text)
        case .isIn(let field, let operands) where field.isID:
            IndexRanges(
                operands.compactMap { if case .string(let text) = $0 { ByteRange(id: text) } else { nil } }, .points,
                isExact: true)
        case .between(let field, .string(let lower), .string(let upper)) where field.isID:
            IndexRanges([ByteRange(Array(lower.utf8), ByteRange(id: upper).upper)], .twoSided, isExact: true)
        case .beginsWith(let field, let text) where field.isID && !text.isEmpty:
            IndexRanges([ByteRange(prefix: Array(text.utf8))], .twoSided, isExact: true)
        case .and(let conditions): Condition.ranges(ofAll: conditions.map(\.idRanges), true)
        case .or(let conditions): Condition.ranges(ofOne: conditions.map(\.idRanges))
        default: nil
        }
    }
}

extension Condition.Comparison {
    /// Returns the ranges of the ids for which this comparison with a string holds, or `nil` if the comparison does not
    /// limit the ids to ranges.
    fileprivate func idRanges(_ text: String) -> IndexRanges? {
        let id = ByteRange(id: text)
        func side(_ lower: [UInt8], _ upper: [UInt8]) -> IndexRanges {
            IndexRanges([ByteRange(lower, upper)], .oneSided, isExact: true)
        }
        return switch self {
        case .notEqual: nil
        case .equal: IndexRanges([id], .points, isExact: true)
        case .less: side([], id.lower)
        case .lessOrEqual: side([], id.upper)
        case .greater: side(id.upper, [0xFF])
        case .greaterOrEqual: side(id.lower, [0xFF])
        }
    }
}

extension ByteRange {
    /// Creates the range of a single id. The upper bound is the id followed by a NUL, which is the next possible id.
    init(id: String) {
        let bytes = Array(id.utf8)
        self.init(bytes, bytes + [0])
    }
}
