/// The plan by which a query finds its records.
enum QueryPlan {
    /// Scan the records whose ids are in some ranges, or all records if the ranges are `nil`.
    case collection([IDRange]?)
    /// Find the records through the index entries in some ranges, and sort the records. Several indexes answer one part
    /// of an `or` each.
    case ranges([Path])
    /// Find the records in the order of the index entries. This order is the order of the query's first sort keys. If
    /// the query sorts by id, all entries in the ranges have the same value, so they are in the order of the ids.
    case order(Path)

    /// The indexes whose entries the plan reads.
    var paths: [Path] {
        switch self {
        case .collection: []
        case .ranges(let paths): paths
        case .order(let path): [path]
        }
    }

    /// The relation between the order of the entries of an index and the order of a query.
    struct Order {
        /// The index texts of the leading fields that the condition limits to one value each. In each entry, the values
        /// of the sort keys follow these texts.
        var prefix: [UInt8] = []
        /// The number of the query's leading sort keys by which the entries are ordered.
        var sortCount = 0
        /// The number of values at the start of an entry that determine its position in the order of the plan. Entries
        /// in which these values are equal are tied.
        var valueCount = 1
        /// Whether tied entries are already in the order of the query. If not, the plan must sort ties by the remaining
        /// sort keys.
        var isTotal = true
    }

    /// Chooses the plan for a query. The choice depends on the form of the condition and not on the number of records.
    ///
    /// In order of preference, the plan uses:
    ///
    /// 1. Single ids.
    /// 2. An index that the condition limits to single values.
    /// 3. An index that the condition limits to ranges with two bounds.
    /// 4. Several indexes that the parts of an `or` limit to single values or ranges with two bounds, unless the query
    ///    has a limit and an index has the order of the sort.
    /// 5. A range of ids with two bounds, unless the query has a limit and an index has the order of the sort.
    /// 6. An index that has the order of the sort.
    /// 7. An index that the condition limits on one side, unless the query has a limit and the order of the ids.
    /// 8. A scan in the order of the ids.
    init(_ query: borrowing RecordQuery, in transaction: borrowing ReadTransaction) throws {
        let ids = query.condition?.ranges(of: .id)
        self = .collection(ids?.ranges)
        if ids?.strength == .points { return }
        var best: Path?
        var sorting: Path?
        for definition in query.indexes {
            let index = Path(definition, for: query)
            if best.map(index.isBetter) ?? true { best = index }
            if index.order.sortCount > (sorting?.order.sortCount ?? 0) { sorting = index }
        }
        guard var best else { return }
        let isForPage = sorting != nil && query.limit != nil
        if best.strength < .twoSided, !isForPage {
            if ids?.strength == .twoSided { return }
            if ids == nil, let union = try QueryPlan.union(query, in: transaction) {
                self = union
                return
            }
        }
        let isOneSidedUseful = query.isByID ? query.limit == nil : sorting == nil
        if best.strength >= .twoSided || best.strength > .existence && isOneSidedUseful {
            if try best.isReady(in: transaction, query) { self = best.isInOrder ? .order(best) : .ranges([best]) }
        } else if var sorting, try sorting.isReady(in: transaction, query) {
            self = .order(sorting)
        }
    }

    /// Returns the plan that uses an index for each part of an `or`, or `nil` if a part has no suitable index.
    private static func union(
        _ query: borrowing RecordQuery, in transaction: borrowing ReadTransaction
    ) throws -> QueryPlan? {
        guard let parts = query.condition?.alternatives else { return nil }
        var indexes: [Path] = []
        for part in parts {
            let paths = query.indexes.map { Path($0, for: RecordQuery(query.collection, where: part)) }
            guard var best = paths.max(by: { $1.isBetter(than: $0) }), best.strength >= .twoSided else { return nil }
            // The ranges guarantee nothing but this part.
            best.condition = query.condition
            guard try best.isReady(in: transaction, query) else { return nil }
            indexes.append(best)
        }
        return .ranges(indexes)
    }
}
