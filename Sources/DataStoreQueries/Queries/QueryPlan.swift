import DataStoreCore

/// The way in which a query is answered.
enum QueryPlan {
    /// Scan the records whose ids are in some ranges, or all records if `nil`.
    case collection([IDRange]?)
    /// Read the records that index entries in some ranges lead to, and sort them.
    case ranges(Index)
    /// Follow the index of the first field of the sort, or its entries of one value, which are in the order of ids.
    case order(Index)

    /// An index of the snapshot, and the ranges that can contain matches.
    struct Index {
        let field: QueryField
        /// The collection of the entries.
        let entries: String
        /// Whether the index has overflow entries.
        let hasOverflowEntries: Bool
        /// Whether entries contain the records that they lead to.
        let isCovering: Bool
        let ranges: [ByteRange]
        /// The residual condition for the records of the ranges, or `nil` if all of them meet the condition.
        let condition: Condition?
    }

    /// Chooses a plan.
    ///
    /// The choice depends on the form of the condition and not on counts. Single ids are preferred to single values of
    /// an index, those to ranges with two ends, and those to the order of the sort if the query has a limit. A range of
    /// ids is used if no index narrows the query as much.
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
            for (position, index) in query.indexes.enumerated() {
                // Most records have a value, so such a condition is not worth an index.
                guard let ranges = condition.ranges(of: index.field),
                    ranges.strength > bestRanges.strength
                else { continue }
                (best, bestRanges) = (position, ranges)
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
            // The order of the index may be the order of the sort.
            let isInOrder = best == sorting || query.sort.isEmpty && bestRanges.isOneValue
            try use(best, bestRanges, query, transaction) { isInOrder ? .order($0) : .ranges($0) }
        } else if let sorting {
            let ranges = query.condition?.ranges(of: query.indexes[sorting].field)
            try use(sorting, ranges ?? .all(isExact: query.condition == nil), query, transaction) { .order($0) }
        } else if let best, sortField != nil {
            try use(best, bestRanges, query, transaction) { .ranges($0) }
        }
    }

    /// Uses a plan if the snapshot has the index.
    private mutating func use(
        _ position: Int, _ ranges: IndexRanges, _ query: borrowing RecordQuery,
        _ transaction: borrowing ReadTransaction, _ makePlan: (Index) -> QueryPlan
    ) throws {
        let index = query.indexes[position]
        guard let state = try IndexState.of(index, of: query.collection, in: transaction),
            state.isReady
        else { return }
        self = makePlan(
            Index(
                field: index.field, entries: state.entries, hasOverflowEntries: state.hasOverflowEntries,
                isCovering: state.isCovering, ranges: ranges.ranges,
                condition: ranges.isExact ? nil : query.condition?.residual(for: index.field)))
    }
}
