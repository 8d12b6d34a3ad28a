import DataStoreCore

// Answers by the entries of an index. What an entry cannot say, the record is asked.
extension ReadTransaction {
    /// Answers from the records that entries of some ranges lead to.
    func forEach(
        in index: QueryPlan.Index, _ query: borrowing RecordQuery, _ page: inout QueryPage, _ report: inout QueryReport,
        _ body: (Key, borrowing RecordView) throws -> Scan.Step
    ) throws {
        var ids: [String] = []
        for range in index.ranges {
            try forEachEntry(of: index, range.ids) { entry, _ in
                ids.append(IndexEntry.target(entry, after: try index.valueCount(entry)))
                return .next
            }
        }
        let others = try overflow(in: index)
        ids += others
        report.entryCount = ids.count
        // Of the others nothing is known.
        let condition = others.isEmpty ? index.condition : query.condition
        let isByID = query.sort.first?.field.isID ?? true
        if isByID || !index.field.isSingle { ids.sortDroppingRepeated() }
        if isByID {
            let isReversed = query.sort.first?.isDescending ?? false
            for id in isReversed ? ids.reversed() : ids {
                if let cursor = query.cursor, id.ordering(byBytes: cursor.id) != (isReversed ? .before : .after) {
                    continue
                }
                report.recordCount += 1
                let step = try withRecord(of: id, index, query, asking: condition) { key, view in
                    try page.show(key, view, of: query, body)
                }
                if step == .stop { return }
            }
        } else {
            var first = FirstPlaces(copy query)
            report.recordCount = ids.count
            for id in ids { try place(of: id, index, query, asking: condition).map { first.insert($0) } }
            try show(first.ordered(), of: query, &page, body)
        }
    }

    /// Answers along an index, whose order is that of the first field that is sorted by, or of the ids where it is one
    /// value.
    func forEachInOrder(
        of index: QueryPlan.Index, _ query: borrowing RecordQuery, _ page: inout QueryPage, _ report: inout QueryReport,
        _ body: (Key, borrowing RecordView) throws -> Scan.Step
    ) throws {
        var waiting = try overflowPositions(in: index, query, &report)[...]
        if query.sort.count > 1 { return try forEachTied(in: index, query, waiting, &page, &report, body) }
        // What ties in the only field is in the order of the ids, which is that of the entries.
        let step = try forEachEntryInOrder(of: index, query) { entry, held in
            report.entryCount += 1
            if !index.isCovering { report.recordCount += 1 }
            let id = IndexEntry.target(entry, after: try index.valueCount(entry))
            return try withRecord(of: id, held, index, query) { key, view in
                if !waiting.isEmpty {
                    let place = try query.place(of: view, key)
                    let before = waiting.popFirst(while: { query.precedes($0, place) })
                    if try show(before, of: query, &page, body) == .stop { return .stop }
                    // Of several values, one may be in order and another not: the record is shown once.
                    if waiting.first?.id.hasSameBytes(as: id) == true { waiting.removeFirst() }
                }
                return try page.show(key, view, of: query, body)
            } ?? .next
        }
        if step == .next, !waiting.isEmpty { try show(Array(waiting), of: query, &page, body) }
    }

    /// Answers along an index, whose order is that of the first field that is sorted by, and puts in order what ties in
    /// it.
    private func forEachTied(
        in index: QueryPlan.Index, _ query: borrowing RecordQuery, _ overflow: ArraySlice<RecordQuery.Cursor>,
        _ page: inout QueryPage, _ report: inout QueryReport, _ body: (Key, borrowing RecordView) throws -> Scan.Step
    ) throws {
        var waiting = overflow
        var tied: [RecordQuery.Cursor] = []
        var last: [UInt8]?
        func showTied() throws -> Scan.Step {
            tied.sort { query.precedes($0, $1) }
            defer { tied.removeAll() }
            for place in tied {
                let before = waiting.popFirst(while: { query.precedes($0, place) })
                if try show(before + [place], of: query, &page, body) == .stop { return .stop }
            }
            return .next
        }
        let step = try forEachEntryInOrder(of: index, query) { entry, held in
            report.entryCount += 1
            if !index.isCovering { report.recordCount += 1 }
            let count = try index.valueCount(entry)
            let value = Array(entry.extracting(first: count))
            if let last, last != value, try showTied() == .stop { return .stop }
            last = value
            let id = IndexEntry.target(entry, after: count)
            let place = try withRecord(of: id, held, index, query) { key, view in
                try query.place(of: view, key)
            }
            if let place, query.isAfterCursor(place) { tied.append(place) }
            return .next
        }
        if try step == .next && showTied() == .next { try show(Array(waiting), of: query, &page, body) }
    }

    /// The places of the records whose values are not in order, in the order of the query.
    private func overflowPositions(
        in index: QueryPlan.Index, _ query: borrowing RecordQuery, _ report: inout QueryReport
    ) throws -> [RecordQuery.Cursor] {
        guard index.hasOverflowEntries else { return [] }
        var places = FirstPlaces(copy query)
        for id in try overflow(in: index) {
            report.entryCount += 1
            report.recordCount += 1
            try place(of: id, index, query, asking: query.condition).map { places.insert($0) }
        }
        return places.ordered()
    }

    /// Shows the entries in the order of a sort by one field, from the cursor on: those of one value always by
    /// ascending ids.
    ///
    /// - Parameters:
    ///   - index: the index.
    ///   - query: the query whose first sort key is of it, or that has none where it is about one value.
    ///   - body: is shown an entry and what it holds, and says whether to go on.
    /// - Returns: what `body` said last.
    /// - Throws: what `body` threw, or a `DataStoreError`.
    private func forEachEntryInOrder(
        of index: QueryPlan.Index, _ query: borrowing RecordQuery,
        _ body: (Span<UInt8>, borrowing RecordView) throws -> Scan.Step
    ) throws -> Scan.Step {
        // Where the next page begins, if this field alone decides it; else where the value of the cursor does.
        let value = query.cursor.map { query.sort.isEmpty ? index.ranges[0].lower : $0.firstText }
        let place = query.cursor.flatMap { cursor in
            value.map { $0 + (query.sort.count <= 1 ? Array(cursor.id.utf8) + [0] : []) }
        }
        if query.sort.first?.isDescending != true {
            for range in index.ranges {
                let rest = place.map { range.intersection(ByteRange($0, [0xFF])) } ?? range
                if !rest.isEmpty, try forEachEntry(of: index, rest.ids, body) == .stop { return .stop }
            }
            return .next
        }
        for range in index.ranges.reversed() {
            var rest = value.map { range.intersection(ByteRange([], $0 + [0xFF])) } ?? range
            while !rest.isEmpty {
                var greatest: [UInt8]?
                try forEachBytes(in: Scan(kept: index.entries, ids: rest.ids, limit: 1, isReversed: true)) {
                    entry, _ in
                    greatest = Array(entry.extracting(first: try index.valueCount(entry)))
                    return .stop
                }
                guard let greatest else { break }
                var entries = ByteRange(prefix: greatest)
                if greatest == value, let place { entries.lower = place }
                if try forEachEntry(of: index, entries.ids, body) == .stop { return .stop }
                rest.upper = greatest
            }
        }
        return .next
    }

    // MARK: Entries and records

    /// - Returns: what the closure said last.
    @discardableResult
    private func forEachEntry(
        of index: QueryPlan.Index, _ range: IDRange, _ body: (Span<UInt8>, borrowing RecordView) throws -> Scan.Step
    ) throws -> Scan.Step {
        var step = Scan.Step.next
        try forEachBytes(in: Scan(kept: index.entries, ids: range)) { entry, held in
            step = try body(entry, held)
            return step
        }
        return step
    }

    /// The ids of the records whose values are not in order.
    private func overflow(in index: QueryPlan.Index) throws -> [String] {
        guard index.hasOverflowEntries else { return [] }
        var ids: [String] = []
        try forEachEntry(of: index, IndexEntry.overflowIDs) { entry, _ in
            guard entry.count > IndexEntry.overflowTextCount else {
                throw index.damaged("it has an entry without an id")
            }
            ids.append(IndexEntry.target(entry, after: IndexEntry.overflowTextCount))
            return .next
        }
        // A record can have several values that are too long.
        if !index.field.isSingle { ids.sortDroppingRepeated() }
        return ids
    }

    /// Shows a record that an entry in the ranges leads to, where it meets the condition: what the entry holds, or the
    /// record itself.
    private func withRecord<Result>(
        of id: String, _ held: borrowing RecordView, _ index: QueryPlan.Index, _ query: borrowing RecordQuery,
        _ body: (Key, borrowing RecordView) throws -> Result
    ) throws -> Result? {
        guard index.isCovering else {
            return try withRecord(of: id, index, query, asking: index.condition, body)
        }
        let key = Key(kept: id, in: query.collection)
        if let condition = index.condition, try !condition.holds(in: held, key) { return nil }
        return try body(key, held)
    }

    /// Shows a record that an entry leads to, where it meets a condition.
    private func withRecord<Result>(
        of id: String, _ index: QueryPlan.Index, _ query: borrowing RecordQuery, asking condition: Condition?,
        _ body: (Key, borrowing RecordView) throws -> Result
    ) throws -> Result? {
        let key = Key(kept: id, in: query.collection)
        let result = try withView(of: key) { view -> Result? in
            if let condition, try !condition.holds(in: view, key) { return nil }
            return try body(key, view)
        }
        guard let result else { throw index.damaged("it leads to \(key), which is not there") }
        return result
    }

    /// The place of a record that an entry leads to, where it meets a condition and comes after the cursor.
    private func place(
        of id: String, _ index: QueryPlan.Index, _ query: borrowing RecordQuery, asking condition: Condition?
    ) throws -> RecordQuery.Cursor? {
        let place = try withRecord(of: id, index, query, asking: condition) { key, view in
            try query.place(of: view, key)
        }
        return place.flatMap { query.isAfterCursor($0) ? $0 : nil }
    }
}

extension QueryPlan.Index {
    /// How many bytes of an entry are the text of the value.
    fileprivate func valueCount(_ entry: Span<UInt8>) throws(DataStoreError) -> Int {
        guard let count = IndexEntry.valueCount(entry) else { throw damaged("it has an entry without a value") }
        return count
    }

    fileprivate func damaged(_ reason: String) -> DataStoreError {
        DataStoreError(
            .corrupted, "the index \(field.name) is not that of the records: \(reason); make it again",
            operation: "find records")
    }
}

extension RecordQuery.Cursor {
    /// The text of the first value in an index.
    fileprivate var firstText: [UInt8] { values[0]?.indexText ?? Value.missingIndexText }
}

extension [String] {
    /// Puts ids in order, each once.
    fileprivate mutating func sortDroppingRepeated() {
        guard count > 1 else { return }
        sort { $0.ordering(byBytes: $1) == .before }
        self = enumerated().filter { $0 == 0 || !$1.hasSameBytes(as: self[$0 - 1]) }.map(\.element)
    }
}

extension ArraySlice {
    /// Takes the first elements that meet a condition.
    fileprivate mutating func popFirst(while condition: (Element) -> Bool) -> [Element] {
        let first = prefix(while: condition)
        removeFirst(first.count)
        return Array(first)
    }
}
