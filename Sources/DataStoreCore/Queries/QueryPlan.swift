/// The way to the answer of a query.
enum QueryPlan {
    /// To look at all records.
    case collection
    /// To look at the records that entries lead to, and put them in order.
    case ranges(Index)
    /// To follow the entries of the index by the first field of the sort.
    case order(Index)

    /// An index of the snapshot, and where in it the answer can be.
    struct Index {
        let field: QueryField
        /// The collection of the entries.
        let entries: String
        let ranges: [ByteRange]
    }

    /// Looks for a way.
    ///
    /// Which one is decided by what a condition is, not by counting: single values come before ranges with two ends, and
    /// those before the order of the sort, where only a page is wanted.
    init(
        _ query: RecordQuery, in transaction: borrowing some RecordReading & ~Copyable
    ) throws {
        self = .collection
        guard !query.indexes.isEmpty else { return }
        let sortField = query.sort.first.flatMap { $0.field.isID ? nil : $0.field }
        var best: (index: RecordIndex, ranges: IndexRanges)?
        for index in query.indexes {
            guard let ranges = query.condition?.ranges(of: index.name, isSingle: index.field.isSingle),
                best.map({ ranges.strength > $0.ranges.strength }) ?? true
            else { continue }
            best = (index, ranges)
        }
        let sorting = query.indexes.first { index in
            index.field.isSingle && sortField?.name.hasSameBytes(as: index.name) == true
        }
        if let best, best.ranges.strength >= .twoSided || sortField == nil && query.limit == nil {
            // Their order is that of the sort, too.
            if let sorting, sorting.name.hasSameBytes(as: best.index.name) {
                try use(sorting, best.ranges.ranges, query, transaction) { .order($0) }
            } else {
                try use(best.index, best.ranges.ranges, query, transaction) { .ranges($0) }
            }
        } else if let sorting {
            let ranges = query.condition?.ranges(of: sorting.name, isSingle: true)?.ranges
            try use(sorting, ranges ?? [ByteRange(Value.missingIndexText, [0xFF])], query, transaction) { .order($0) }
        } else if let best, sortField != nil {
            try use(best.index, best.ranges.ranges, query, transaction) { .ranges($0) }
        }
    }

    /// Takes a way, where the snapshot has the index.
    private mutating func use(
        _ index: RecordIndex, _ ranges: [ByteRange], _ query: RecordQuery,
        _ transaction: borrowing some RecordReading & ~Copyable, _ way: (Index) -> QueryPlan
    ) throws {
        try transaction.prepare([index], of: query.collection)
        guard let state = try IndexCatalogue.state(of: index.name, of: query.collection, in: transaction),
            state.isOf(index), state.progress == .ready
        else { return }
        self = way(Index(field: index.field, entries: state.entries, ranges: ranges))
    }
}
