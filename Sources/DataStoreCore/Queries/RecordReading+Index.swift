// Answers by the entries of an index. Whatever an entry says, the condition is asked of the record: an index saves looking
// at the others, and means nothing by itself.
extension RecordReading where Self: ~Copyable {
    /// Answers from the records that entries of some ranges lead to.
    func forEach(
        in index: QueryPlan.Index, _ page: inout QueryPage, _ report: inout QueryReport,
        _ body: (Key, borrowing RecordView) throws -> Scan.Step
    ) throws {
        let query = page.query
        var ids = try unordered(in: index)
        for range in index.ranges {
            try forEachEntry(of: index, IDRange(range)) { entry in
                ids.append(try index.target(entry))
                return .next
            }
        }
        report.entryCount = ids.count
        let isByID = query.sort.first?.field.isID ?? true
        if ids.count > 1, isByID || !index.field.isSingle {
            // A record may have several of the values, and is one answer.
            ids.sort { $0.ordering(byBytes: $1) == .before }
            ids = ids.enumerated().filter { $0 == 0 || !$1.hasSameBytes(as: ids[$0 - 1]) }.map(\.element)
        }
        if isByID {
            if query.sort.first?.isDescending ?? false { ids.reverse() }
            for id in ids {
                report.recordCount += 1
                let step = try withRecord(of: id, index, query) { key, view, _ in try page.show(key, view, body) }
                if step == .stop { return }
            }
        } else {
            var first = FirstPlaces(query)
            report.recordCount = ids.count
            for id in ids { _ = try withRecord(of: id, index, query) { _, _, place in first.insert(place) } }
            try show(first.ordered(), &page, body)
        }
    }

    /// Answers along an index, whose order is that of the first field that is sorted by.
    func forEachInOrder(
        of index: QueryPlan.Index, _ page: inout QueryPage, _ report: inout QueryReport,
        _ body: (Key, borrowing RecordView) throws -> Scan.Step
    ) throws {
        let query = page.query
        var others = FirstPlaces(query)
        for id in try unordered(in: index) {
            report.entryCount += 1
            report.recordCount += 1
            _ = try withRecord(of: id, index, query) { _, _, place in others.insert(place) }
        }
        var waiting = others.ordered()[...]
        var isOver = false
        try forEachValue(of: index, query) { value in
            // All that tie in the first field; what ties in all is in the order of the ids, which is that of the entries.
            let isLast = query.sort.count == 1
            var tied: [RecordQuery.Cursor] = []
            let after = isLast ? query.cursor.flatMap { $0.hasFirst(value) ? $0.id : nil } : nil
            try forEachEntry(of: index, .init(value, after: after)) { entry in
                report.entryCount += 1
                report.recordCount += 1
                let id = IndexEntry.target(entry, after: value.count)
                let step = try withRecord(of: id, index, query) { key, view, place in
                    guard place.hasFirst(value) else {
                        throw index.damaged("it leads to \(key) by a value that it has not")
                    }
                    guard isLast else {
                        tied.append(place)
                        return Scan.Step.next
                    }
                    let before = waiting.popFirst(while: { query.precedes($0, place) })
                    return try show(before, &page, body) == .stop ? .stop : try page.show(key, view, body)
                }
                isOver = step == .stop
                return step ?? .next
            }
            tied.sort { query.precedes($0, $1) }
            for place in tied where !isOver {
                let places = waiting.popFirst(while: { query.precedes($0, place) }) + [place]
                isOver = try show(places, &page, body) == .stop
            }
            return isOver ? .stop : .next
        }
        if !isOver { try show(Array(waiting), &page, body) }
    }

    /// Shows the values of an index in the order of a sort, each once, from that of the cursor on.
    ///
    /// - Parameters:
    ///   - index: the index.
    ///   - query: the query whose first sort key is of it.
    ///   - body: is shown the text of a value, and says whether to go on.
    /// - Throws: what `body` threw, or a ``DataStoreError``.
    private func forEachValue(
        of index: QueryPlan.Index, _ query: RecordQuery, _ body: ([UInt8]) throws -> Scan.Step
    ) throws {
        let isDescending = query.sort[0].isDescending
        for range in isDescending ? index.ranges.reversed() : index.ranges {
            var rest = range
            if let cursor = query.cursor {
                let value = cursor.firstText
                rest = rest.intersection(
                    isDescending ? ByteRange([], value + [0xFF]) : ByteRange(value, [0xFF]))
            }
            while !rest.isEmpty {
                var value: [UInt8]?
                let next = Scan(kept: index.entries, ids: IDRange(rest), limit: 1, isReversed: isDescending)
                try forEachView(in: next) { key, _ in
                    value = IndexEntry.value(key.id)
                    if value == nil { throw index.damaged("it has an entry without a value") }
                    return .stop
                }
                guard let value else { break }
                if try body(value) == .stop { return }
                if isDescending { rest.upper = value } else { rest.lower = value + [0xFF] }
            }
        }
    }

    // MARK: Entries

    private func forEachEntry(
        of index: QueryPlan.Index, _ range: IDRange, _ body: (String) throws -> Scan.Step
    ) throws {
        try forEachView(in: Scan(kept: index.entries, ids: range)) { key, _ in try body(key.id) }
    }

    /// The ids of the records whose values are not in order.
    private func unordered(in index: QueryPlan.Index) throws -> [String] {
        var ids: [String] = []
        try forEachEntry(of: index, IndexEntry.unorderedIDs) { entry in
            ids.append(IndexEntry.target(entry, after: 1))
            return .next
        }
        return ids
    }

    /// Shows a record that an entry leads to, where it meets the condition and comes after the cursor.
    private func withRecord<Result>(
        of id: String, _ index: QueryPlan.Index, _ query: RecordQuery,
        _ body: (Key, borrowing RecordView, RecordQuery.Cursor) throws -> Result
    ) throws -> Result? {
        let key = Key(kept: id, in: query.collection)
        let result = try withView(of: key) { view -> Result? in
            guard let place = try query.nextPlace(of: view, key) else { return nil }
            return try body(key, view, place)
        }
        guard let result else { throw index.damaged("it leads to \(key), which is not there") }
        return result
    }
}

extension QueryPlan.Index {
    /// The id that an entry leads to.
    fileprivate func target(_ entry: String) throws(DataStoreError) -> String {
        guard let count = IndexEntry.valueCount(entry) else { throw damaged("it has an entry without a value") }
        return IndexEntry.target(entry, after: count)
    }

    fileprivate func damaged(_ reason: String) -> DataStoreError {
        DataStoreError(
            .corrupted, "the index \(field.name) is not that of the records: \(reason); make it again",
            operation: "find records")
    }
}

extension IDRange {
    /// The entries of a value, after that of an id.
    fileprivate init(_ value: [UInt8], after id: String?) {
        var range = ByteRange(prefix: value)
        if let id { range.lower += Array(id.utf8) + [0] }
        self.init(range)
    }
}

extension RecordQuery.Cursor {
    /// The text of the first value in an index.
    fileprivate var firstText: [UInt8] { values[0]?.indexText ?? Value.missingIndexText }

    fileprivate func hasFirst(_ text: [UInt8]) -> Bool { firstText == text }
}

extension ArraySlice {
    /// Takes the first elements that meet a condition.
    fileprivate mutating func popFirst(while condition: (Element) -> Bool) -> [Element] {
        let first = prefix(while: condition)
        removeFirst(first.count)
        return Array(first)
    }
}
