extension QueryPlan {
    /// A way to answer a query with one index, which may be compound: the ranges of its entries that the plan reads,
    /// and what remains to be done with the records in these ranges.
    struct Path {
        /// The maximum number of combinations of values that a condition may allow for the first fields. For example,
        /// two values of one field and three of the next have six combinations. If there are more, the following fields
        /// do not narrow the index.
        private static let maximumCount = 16

        private let definition: IndexDefinition
        let ranges: [IDRange]
        /// The residual condition, which the query evaluates for each record in the ranges. It is `nil` if all of these
        /// records meet the condition.
        var condition: Condition?
        /// The relation between the order of the entries and the order of the query. The plan ``ranges(_:)`` ignores
        /// it.
        private(set) var order: Order
        /// How much the condition narrows the first fields of the index, with one element for each field. No element
        /// follows a field that is not limited to single values.
        private let strengths: [ConditionRanges.Strength]

        // The state of the index in the snapshot, which `isReady(in:_:)` reads.

        /// The name of the collection that contains the entries.
        private(set) var entriesCollection = ""
        /// Whether the index may have overflow entries, i.e. entries of values that are too long for a key.
        private(set) var hasOverflowEntries = false
        /// Whether the entries contain the records.
        private(set) var isCovering = false
        /// The test of the residual condition.
        private(set) var test: Condition.Test?

        /// Finds the ranges of an index for a query.
        init(_ definition: IndexDefinition, for query: borrowing RecordQuery) {
            let fields = definition.field.parts
            let limits = Self.limits(of: fields, by: query.condition)
            let values = limits.prefix { $0.ranges.count == 1 && $0.ranges[0].isOneValue }.map { $0.ranges[0].lower }
            self.definition = definition
            strengths = limits.map(\.strength)
            ranges = Self.combinations(of: limits)
            condition = zip(fields, limits).reduce(query.condition) { $0?.residual(for: $1.0) }
            order = Self.relation(of: fields, values, isSingle: definition.field.isSingle, for: query.sort)
        }

        var field: QueryField { definition.field }

        /// Whether the entries are in the order of the query, apart from ties.
        var isInOrder: Bool { field.isSingle && (order.sortCount > 0 || order.isTotal) }

        /// Reads the state of the index in a snapshot.
        ///
        /// - Returns: Whether the index exists and is complete.
        mutating func isReady(
            in transaction: borrowing ReadTransaction, _ query: borrowing RecordQuery
        ) throws -> Bool {
            guard let state = try transaction.state(of: definition, in: query.collection), state.isReady else {
                return false
            }
            entriesCollection = state.entriesCollection
            hasOverflowEntries = state.hasOverflowEntries
            isCovering = state.isCovering
            test = condition?.test
            return true
        }

        /// Returns the ranges to which a condition limits the first fields of an index.
        private static func limits(of fields: [QueryField], by condition: Condition?) -> [ConditionRanges] {
            var limits: [ConditionRanges] = []
            var count = 1
            for field in fields {
                guard let found = condition?.ranges(of: field) else { break }
                limits.append(found)
                count *= found.ranges.count
                guard found.ranges.allSatisfy(\.isOneValue), count <= maximumCount else { break }
            }
            return limits
        }

        /// Returns the ranges of the index with each combination of the ranges of its fields, or the range of all
        /// entries without fields.
        private static func combinations(of limits: [ConditionRanges]) -> [IDRange] {
            guard let first = limits.first else { return [IDRange(lower: Value.missingIndexText, upper: [0xFF])] }
            return limits.dropFirst().reduce(first.ranges) { prefixes, following in
                prefixes.flatMap { prefix in
                    following.ranges.map { IDRange(lower: prefix.lower + $0.lower, upper: prefix.lower + $0.end) }
                }
            }
        }

        /// Returns the relation between the order of the entries and a sort.
        ///
        /// - Parameters:
        ///   - fields: The fields of the index.
        ///   - values: The index texts of the first fields that the condition limits to one value each.
        ///   - isSingle: Whether each record has one entry.
        ///   - sort: The sort keys of the query.
        /// - Returns: The relation with the most sort keys.
        private static func relation(
            of fields: [QueryField], _ values: [[UInt8]], isSingle: Bool, for sort: [RecordQuery.SortKey]
        ) -> Order {
            // An ascending sort by id and all sort keys after it have no effect, because ids order ties anyway.
            let keys = sort.prefix { !$0.field.isID || $0.isDescending }
            func order(after start: Int, _ sortCount: Int) -> Order {
                let valueCount = start + sortCount
                return Order(
                    prefix: Array(values.prefix(start).joined()), sortCount: sortCount, valueCount: valueCount,
                    isTotal: sortCount == keys.count && valueCount == fields.count)
            }
            var best = order(after: values.count, 0)
            guard isSingle else { return best }
            // A sort key may be one of the fields that have one value.
            for start in 0...values.count {
                let following = zip(keys, fields.dropFirst(start))
                let count = following.prefix { $0.field == $1 && $0.isDescending == keys[0].isDescending }.count
                if count > best.sortCount { best = order(after: start, count) }
            }
            return best
        }

        /// How much the condition narrows the first field.
        var strength: ConditionRanges.Strength { strengths.first ?? .existence }

        /// Returns whether this index is better than another one. The first of these criteria by which the two differ
        /// decides:
        ///
        /// 1. The condition narrows the index more.
        /// 2. The entries are in the order of more sort keys.
        /// 3. The entries are in the complete order of the query.
        func isBetter(than other: Path) -> Bool {
            for (own, other) in zip(strengths, other.strengths) where own != other { return own > other }
            if strengths.count != other.strengths.count { return strengths.count > other.strengths.count }
            if order.sortCount != other.order.sortCount { return order.sortCount > other.order.sortCount }
            return isInOrder && order.isTotal && !(other.isInOrder && other.order.isTotal)
        }

        /// Returns the index if counting its entries is sufficient to count the records with each value of a field,
        /// otherwise `nil`. Its ranges must contain exactly the entries of the records that the query selects, in the
        /// order of the field's values.
        func grouping(
            _ field: QueryField, _ query: borrowing RecordQuery, in transaction: borrowing ReadTransaction
        ) throws -> Path? {
            guard condition == nil else { return nil }
            var index = self
            if self.field.isSingle {
                guard order.sortCount == 1 else { return nil }
            } else {
                // With any other condition, the ranges may lack elements of a record that do not meet the condition.
                var isOfAll = query.condition == nil
                if case .exists(let existing)? = query.condition { isOfAll = existing == field }
                guard self.field == field, isOfAll else { return nil }
                index.order = Order(sortCount: 1)
            }
            guard try index.isReady(in: transaction, query), !index.hasOverflowEntries else { return nil }
            return index
        }
    }
}

extension IDRange {
    /// Whether the range contains the entries of exactly one value, and not of all strings with a common prefix.
    fileprivate var isOneValue: Bool {
        end == lower + [0xFF] && Value.indexTextCount(in: lower.span, componentCount: 1) == lower.count
    }
}
