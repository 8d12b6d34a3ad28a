/// A value of a field, and the number of records that have this value.
package struct ValueGroup: Hashable, Sendable {
    /// The value, or `nil` for the group of records without a value. A real that is equal to an `Int64` becomes an
    /// integer.
    package let value: Value?
    /// The number of records.
    package fileprivate(set) var count: Int
}

extension ReadTransaction {
    /// Returns each value of a field and the number of records that have the value. The values are in ascending or
    /// descending order. Data, arrays and records are omitted, because queries of entities cannot compare them. If the
    /// field selects the elements of an array, a record can have several values, and counts once for each distinct one.
    ///
    /// If the ranges of an index contain exactly the entries of the selected records, grouped by the field, only
    /// entries are counted and no record is read.
    ///
    /// - Parameters:
    ///   - query: A query with a condition and indexes, but without sort keys, limit and cursor.
    ///   - field: The field whose values form the groups.
    ///   - isDescending: Whether the greatest value comes first.
    ///   - limit: The maximum number of groups, or `nil` for all.
    /// - Returns: The groups, and the number of entries and records that were read.
    /// - Throws: The errors of ``records(matching:)``.
    package func groups(
        matching query: RecordQuery, by field: QueryField, isDescending: Bool = false, limit: Int? = nil
    ) throws -> (groups: [ValueGroup], report: QueryExplanation) {
        let query = try query.hidingExpired(in: self) ?? query
        var report = QueryExplanation()
        let key: RecordQuery.SortKey = isDescending ? .descending(field) : .ascending(field)
        let ordered = RecordQuery(query.collection, where: query.condition, sort: [key], indexes: query.indexes)
        for definition in query.indexes {
            let path = QueryPlan.Path(definition, for: ordered)
            guard let index = try path.grouping(field, ordered, in: self) else { continue }
            report.index = index.field.name
            return (try groups(in: index, ordered, limit: limit ?? .max, &report), report)
        }
        var counts: [[UInt8]: Int] = [:]
        report = try run(query) { key, view in
            let texts = try DataStoreError.adding("read a record", key) { () throws(DataStoreError) in
                try field.validate(view, .corrupted)
                return try field.indexTexts(in: view, id: key.id)
            }
            for text in texts.isEmpty ? [Value.missingIndexText] : texts { counts[text, default: 0] += 1 }
            return .next
        }.report
        let texts = counts.keys.sorted { isDescending ? $1.span.precedes($0.span) : $0.span.precedes($1.span) }
        let groups = texts.lazy.compactMap { ValueGroup(text: $0.span, count: counts[$0] ?? 0) }
        return (Array(groups.prefix(limit ?? .max)), report)
    }

    /// Returns the groups of the values in the ranges of an index, with the number of entries of each value.
    private func groups(
        in index: QueryPlan.Path, _ query: borrowing RecordQuery, limit: Int, _ report: inout QueryExplanation
    ) throws -> [ValueGroup] {
        var groups: [ValueGroup] = []
        var last: [UInt8] = []
        var isListed = false
        guard limit > 0 else { return [] }
        _ = try forEachEntryInOrder(of: index, query) { entry, _ in
            let position = entry.extracting(first: try index.positionCount(entry))
            if !position.hasSameBytes(as: last.span) {
                if groups.count == limit { return .stop }
                last = Array(position)
                let group = ValueGroup(text: position.extracting(droppingFirst: index.order.prefix.count), count: 0)
                isListed = group != nil
                if let group { groups.append(group) }
            }
            report.entryCount += 1
            if isListed { groups[groups.count - 1].count += 1 }
            return .next
        }
        return groups
    }
}

extension ValueGroup {
    /// Creates the group of the value with an index text. Returns `nil` if the value is data, an array or a record.
    fileprivate init?(text: Span<UInt8>, count: Int) {
        let value = Value(indexText: text)
        guard value != nil || text.count == Value.missingIndexText.count else { return nil }
        (self.value, self.count) = (value, count)
    }
}
