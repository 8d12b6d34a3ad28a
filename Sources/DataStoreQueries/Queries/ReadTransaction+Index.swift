/// The maximum number of tied entries whose contents are kept in memory.
private let keptCount = 64

// These functions answer a query from the entries of an index. They read a record only if its entry does not contain
// it.
extension ReadTransaction {
    /// Returns the ids of the records of the entries in some ranges of an index.
    func ids(in ranges: [IDRange], of index: QueryPlan.Path) throws -> [String] {
        var ids: [String] = []
        for range in ranges {
            try forEachEntry(of: index, range) { entry, _ in
                ids.append(Index.target(entry, after: try index.textCount(entry, index.field.componentCount)))
                return .next
            }
        }
        return ids
    }

    /// Passes the records that meet a query to a closure, in the order of the query. The index provides this order, or
    /// the order of the query's first sort keys. In the latter case, the function sorts ties by the remaining sort
    /// keys.
    func forEachInOrder(
        of index: QueryPlan.Path, _ query: borrowing RecordQuery, _ page: inout QueryPage,
        _ body: (Key, borrowing RecordView) throws -> Scan.Step
    ) throws {
        var pending = try overflowPositions(in: index, query, &page.report)[...]
        // Copies of a few records take less time than reading the records again.
        var tied: [(position: RecordQuery.Cursor, record: RecordView.Copy?)] = []
        var last: [UInt8]?
        func visitTied() throws -> Scan.Step {
            tied.sort { query.precedes($0.position, $1.position) }
            defer { tied.removeAll(keepingCapacity: true) }
            for (position, record) in tied {
                let before = pending.prefix { query.precedes($0, position) }
                pending.removeFirst(before.count)
                if try visit(before, of: query, &page, body) == .stop { return .stop }
                let key = Key(stored: position.id, in: query.collection)
                let step =
                    if let record {
                        try page.visit(key, RecordView(record), of: query, body)
                    } else {
                        try visit([position], of: query, &page, body)
                    }
                if step == .stop { return .stop }
            }
            return .next
        }
        // Local constants, because reading them from the index for each entry takes longer.
        let componentCount = index.field.componentCount
        let (isCovering, isTotal) = (index.isCovering, index.order.isTotal)
        // Without ties and overflow entries, the entries have the order of the query.
        let isSimple = isTotal && pending.isEmpty
        let step = try forEachEntryInOrder(of: index, query) { entry, content in
            page.report.entryCount += 1
            if !isCovering { page.report.entityCount += 1 }
            let id = Index.target(entry, after: try index.textCount(entry, componentCount))
            if !isTotal {
                let value = Array(entry.extracting(first: try index.positionCount(entry)))
                if let last, last != value, try visitTied() == .stop { return .stop }
                last = value
            }
            return try withRecord(of: id, content, index, query) { key, view in
                if isSimple { return try page.visit(key, view, of: query, body) }
                let position = try query.position(of: view, key)
                if query.isAfterCursor(position) {
                    tied.append((position, tied.count < keptCount ? try view.copy() : nil))
                }
                return isTotal ? try visitTied() : .next
            } ?? .next
        }
        if try step == .next && visitTied() == .next { try visit(pending, of: query, &page, body) }
    }

    /// Returns the positions of the records with overflow entries, in the order of the query.
    private func overflowPositions(
        in index: QueryPlan.Path, _ query: borrowing RecordQuery, _ report: inout QueryExplanation
    ) throws -> [RecordQuery.Cursor] {
        guard index.hasOverflowEntries else { return [] }
        var positions = TopK(copy query)
        let test = query.condition?.test
        for id in try ids(in: index.overflowRanges, of: index) {
            report.entryCount += 1
            report.entityCount += 1
            _ = try withRecord(of: id, index.field.name, query, matching: test) { key, view in
                positions.insert(try query.position(of: view, key))
            }
        }
        return positions.ordered()
    }

    /// Passes the entries in the ranges of an index to a closure, starting at the query's cursor. The order of the
    /// values is ascending or descending, like the first sort key. Tied entries are always in ascending order.
    ///
    /// - Parameters:
    ///   - index: The index.
    ///   - query: The query. Its first sort keys are those of the index order, or it sorts by id and the ranges have a
    ///     single value.
    ///   - body: A closure that receives an entry and its content, and returns whether to continue.
    /// - Returns: The last result of `body`.
    /// - Throws: The error of `body`, or `DataStoreError` if the store cannot be read.
    func forEachEntryInOrder(
        of index: QueryPlan.Path, _ query: borrowing RecordQuery,
        _ body: (Span<UInt8>, borrowing RecordView) throws -> Scan.Step
    ) throws -> Scan.Step {
        // `position` is where the page begins among the entries with the values of the cursor: directly after the
        // cursor's entry if ids alone order ties, otherwise before all of these entries.
        let value = query.cursor.map { index.order.prefix + $0.text(ofFirst: index.order.sortCount) }
        let position = query.cursor.flatMap { cursor in
            value.map { $0 + (index.order.isTotal ? Array(cursor.id.utf8) + [0] : []) }
        }
        if !query.isDescending {
            for range in index.ranges {
                let remaining = position.map { range.intersection(IDRange(lower: $0, upper: [0xFF])) } ?? range
                if !remaining.isEmpty, try forEachEntry(of: index, remaining, body) == .stop { return .stop }
            }
            return .next
        }
        for range in index.ranges.reversed() {
            // The cursor may be among the entries of its value, of which the rest is passed first.
            if let value, let position {
                let afterCursor = IDRange(lower: position, upper: [0xFF])
                let rest = range.intersection(IDRange(prefix: value)).intersection(afterCursor)
                if !rest.isEmpty, try forEachEntry(of: index, rest, body) == .stop { return .stop }
            }
            var remaining = value.map { range.intersection(IDRange(lower: [], upper: $0)) } ?? range
            while !remaining.isEmpty {
                guard let rest = try forEachDescending(in: remaining, of: index, body) else { return .stop }
                remaining = rest
            }
        }
        return .next
    }

    /// Passes entries in descending order of their values to a closure, and tied entries in ascending order. Ends after
    /// many tied entries, because it keeps tied entries in memory.
    ///
    /// - Returns: The range of the entries that remain, or `nil` if the closure has returned `.stop`.
    private func forEachDescending(
        in range: IDRange, of index: QueryPlan.Path,
        _ body: (Span<UInt8>, borrowing RecordView) throws -> Scan.Step
    ) throws -> IDRange? {
        var tied: [(entry: [UInt8], content: RecordView.Copy)] = []
        var last: [UInt8] = []
        var hasManyTied = false
        func visitTied() throws -> Scan.Step {
            defer { tied.removeAll(keepingCapacity: true) }
            for (entry, content) in tied.reversed() {
                if try body(entry.span, RecordView(content)) == .stop { return .stop }
            }
            return .next
        }
        let step = try forEachBytes(in: Scan(stored: index.entriesCollection, ids: range, isReversed: true)) {
            entry, content in
            let position = entry.extracting(first: try index.positionCount(entry))
            if tied.isEmpty || !position.hasSameBytes(as: last.span) {
                if try visitTied() == .stop { return .stop }
                last = Array(position)
            }
            hasManyTied = tied.count == keptCount
            if hasManyTied { return .stop }
            tied.append((Array(entry), try content.copy()))
            return .next
        }
        if hasManyTied {
            let entries = range.intersection(IDRange(prefix: last))
            if try forEachEntry(of: index, entries, body) == .stop { return nil }
            return IDRange(lower: range.lower, upper: last)
        }
        if step == .stop { return nil }
        return try visitTied() == .stop ? nil : IDRange(lower: [], upper: [])
    }

    /// Returns the number of entries in the ranges of an index.
    func entryCount(of index: QueryPlan.Path) throws -> Int {
        var count = 0
        for range in index.ranges {
            try forEachID(in: Scan(stored: index.entriesCollection, ids: range)) { _ in count += 1 }
        }
        return count
    }

    // MARK: Entries and records

    /// Passes the entries in a range of an index to a closure.
    ///
    /// - Returns: The last result of the closure.
    @discardableResult
    private func forEachEntry(
        of index: QueryPlan.Path, _ range: IDRange, _ body: (Span<UInt8>, borrowing RecordView) throws -> Scan.Step
    ) throws -> Scan.Step {
        try forEachBytes(in: Scan(stored: index.entriesCollection, ids: range), body)
    }

    /// Passes the record of an entry to a closure if it meets the residual condition. The record comes from the entry
    /// or from the store.
    private func withRecord<Result>(
        of id: String, _ content: borrowing RecordView, _ index: QueryPlan.Path, _ query: borrowing RecordQuery,
        _ body: (Key, borrowing RecordView) throws -> Result
    ) throws -> Result? {
        guard index.isCovering else {
            return try withRecord(of: id, index.field.name, query, matching: index.test, body)
        }
        let key = Key(stored: id, in: query.collection)
        return try meets(content, index.test, key) ? body(key, content) : nil
    }

    /// Passes the record of an entry to a closure if it meets a condition. `index` is the name of the index.
    func withRecord<Result>(
        of id: String, _ index: @autoclosure () -> String, _ query: borrowing RecordQuery,
        matching test: Condition.Test?, _ body: (Key, borrowing RecordView) throws -> Result
    ) throws -> Result? {
        let key = Key(stored: id, in: query.collection)
        let result = try withView(of: key) { view -> Result? in
            try meets(view, test, key) ? body(key, view) : nil
        }
        if let result { return result }
        throw DataStoreError.damaged(index: index(), "it refers to \(key), which does not exist")
    }
}

extension QueryPlan.Path {
    /// Whether the ranges contain exactly one entry for each record that meets the condition, and no other entry. The
    /// entries can then be counted.
    var isCountable: Bool { condition == nil && !hasOverflowEntries && field.isSingle }

    /// Returns the number of bytes of the index texts that determine the position of an entry in the order.
    func positionCount(_ entry: Span<UInt8>) throws(DataStoreError) -> Int {
        try textCount(entry, order.valueCount)
    }

    /// Returns the number of bytes of an entry's first `count` index texts, or of the hash in an overflow entry.
    fileprivate func textCount(_ entry: Span<UInt8>, _ count: Int) throws(DataStoreError) -> Int {
        if let count = Value.indexTextCount(in: entry, componentCount: count) { return count }
        if entry.count > Index.overflowTextCount, Index.overflowIDs.lower[0] == entry[0] {
            return Index.overflowTextCount
        }
        throw .damaged(index: field.name, "it has an entry without a value or an id")
    }

    /// The range of the overflow entries, if the index may have some.
    var overflowRanges: [IDRange] { hasOverflowEntries ? [Index.overflowIDs] : [] }
}

extension DataStoreError {
    /// Returns the error which states that the entries of an index are not those of the records.
    static func damaged(index name: String, _ reason: String) -> DataStoreError {
        DataStoreError(
            .corrupted, "the index \(name) does not match its records: \(reason); rebuild it",
            operation: "find records")
    }
}

extension RecordQuery.Cursor {
    /// Returns the cursor's first `count` values in one array, encoded as in the key of an index entry.
    fileprivate func text(ofFirst count: Int) -> [UInt8] {
        values.prefix(count).reduce(into: []) { $0 += $1?.indexText ?? Value.missingIndexText }
    }
}

extension [String] {
    /// Sorts the ids and removes duplicates.
    mutating func sortDroppingRepeated() {
        guard count > 1 else { return }
        sort { $0.byteOrder(to: $1) < 0 }
        self = enumerated().filter { $0 == 0 || !$1.hasSameBytes(as: self[$0 - 1]) }.map(\.element)
    }
}
