import DataStoreCore

/// The way to the answer of a query.
enum QueryPlan {
    /// To look at the records whose ids are in some ranges; nil: at all records.
    case collection([IDRange]?)
    /// To look at the records that entries lead to, and put them in order.
    case ranges(Index)
    /// To follow the entries of the index by the first field of the sort, or those of one value, which are in the order
    /// of ids.
    case order(Index)

    /// An index of the snapshot, and where in it the answer can be.
    struct Index {
        let field: QueryField
        /// The collection of the entries.
        let entries: String
        /// Whether some entries are not in order.
        let hasOverflowEntries: Bool
        /// Whether entries hold the records that they lead to.
        let isCovering: Bool
        let ranges: [ByteRange]
        /// What is to be asked of the records that entries in the ranges lead to; nil where the condition holds for all
        /// of them.
        let condition: Condition?
    }

    /// Looks for a way.
    ///
    /// Which one is decided by what a condition is, not by counting: single values come before ranges with two ends,
    /// and those before the order of the sort, where only a page is wanted. Single ids come before all that, and ranges
    /// of ids where no index is as good.
    init(
        _ query: borrowing RecordQuery, in transaction: borrowing ReadTransaction
    ) throws {
        let ids = query.condition?.idRanges
        self = .collection(ids?.ranges.map(\.ids))
        guard !query.indexes.isEmpty else { return }
        let sortField = query.sort.first.flatMap { $0.field.isID ? nil : $0.field }
        var best: Int?
        var bestRanges = IndexRanges.all
        if let condition = query.condition {
            for (place, index) in query.indexes.enumerated() {
                // That there is a value is mostly true: then it costs less to look at all.
                guard let ranges = condition.ranges(of: index.field),
                    ranges.strength > bestRanges.strength
                else { continue }
                (best, bestRanges) = (place, ranges)
                if ranges.isOneValue { break }
            }
        }
        let sorting = sortField.flatMap { field in
            query.indexes.firstIndex { $0.field.isSingle && field.name.hasSameBytes(as: $0.name) }
        }
        if let ids {
            if ids.strength == .points { return }
            let isForPage = sorting != nil && query.limit != nil
            if ids.strength == .twoSided, bestRanges.strength < .twoSided, !isForPage { return }
        }
        if let best, bestRanges.strength >= .twoSided || sortField == nil && query.limit == nil {
            // Their order may be that of the sort, too.
            let isInOrder = best == sorting || query.sort.isEmpty && bestRanges.isOneValue
            try use(best, bestRanges, query, transaction) { isInOrder ? .order($0) : .ranges($0) }
        } else if let sorting {
            let ranges = query.condition?.ranges(of: query.indexes[sorting].field)
            try use(sorting, ranges ?? .all(isExact: query.condition == nil), query, transaction) { .order($0) }
        } else if let best, sortField != nil {
            try use(best, bestRanges, query, transaction) { .ranges($0) }
        }
    }

    /// Takes a way, where the snapshot has the index.
    private mutating func use(
        _ place: Int, _ ranges: IndexRanges, _ query: borrowing RecordQuery,
        _ transaction: borrowing ReadTransaction, _ way: (Index) -> QueryPlan
    ) throws {
        let index = query.indexes[place]
        guard let state = try IndexState.of(index, of: query.collection, in: transaction),
            state.isReady
        else { return }
        self = way(
            Index(
                field: index.field, entries: state.entries, hasOverflowEntries: state.hasOverflowEntries,
                isCovering: state.isCovering, ranges: ranges.ranges,
                condition: ranges.isExact ? nil : query.condition?.rest(besides: index.field)))
    }
}
