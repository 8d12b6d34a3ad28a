extension ReadTransaction {
    /// Passes the records that a query selects to a closure, in the order of the query.
    ///
    /// If a record does not match, only the fields in the condition are decoded. If an index has the order of the first
    /// sort key, only the sort values and ids of ties are kept in memory. Otherwise they are kept for all matching
    /// records, or, if the query has a limit, for at most twice as many records as the limit.
    ///
    /// - Parameters:
    ///   - query: The condition, the order and the maximum number of records.
    ///   - body: A closure that receives a key and its record, and returns whether to continue.
    /// - Returns: The position after the last record, or `nil` if no record follows.
    /// - Throws: The error of `body`. `DataStoreError` with the code `corrupted` if a record is damaged, or
    ///   `invalidQuery` if the number of the cursor's values differs from the number of the query's sort keys.
    @discardableResult
    package func forEachView(
        matching query: RecordQuery, _ body: (Key, borrowing RecordView) throws -> Scan.Step
    ) throws -> RecordQuery.Cursor? {
        try run(query, body).next
    }

    /// Returns the records that a query selects. All of them are loaded into memory.
    ///
    /// - Parameter query: The condition, the order and the maximum number of records.
    /// - Returns: The records, and the position of the next page.
    /// - Throws: `DataStoreError` with the code `corrupted` if a record is damaged, or `invalidQuery` if the number of
    ///   the cursor's values differs from the number of the query's sort keys.
    package func records(matching query: RecordQuery) throws -> RecordQuery.Page {
        var entries: [Entry] = []
        let next = try forEachView(matching: query) { key, view in
            entries.append(Entry(key: key, record: try view.record()))
            return .next
        }
        return RecordQuery.Page(entries: entries, next: next)
    }

    /// Returns the number of records that meet the condition of a query.
    ///
    /// The function reads no record if the ranges of an index contain exactly one entry for each matching record and no
    /// other entry.
    ///
    /// - Parameter query: A query with a condition and indexes, but without sort keys, limit and cursor.
    /// - Returns: The number of records.
    /// - Throws: The errors of ``records(matching:)``.
    package func count(matching query: RecordQuery) throws -> Int {
        let query = try query.hidingExpired(in: self) ?? query
        let indexes = try QueryPlan(query, in: self).paths
        if indexes.count == 1, indexes[0].isCountable { return try entryCount(of: indexes[0]) }
        return try run(query) { _, _ in .next }.report.foundCount
    }

    /// Runs a query and reports how it found its records.
    ///
    /// - Parameter query: The condition, the order and the maximum number of records.
    /// - Returns: The index that the query used, the number of entries and records that it read, and why it did not use
    ///   other indexes.
    /// - Throws: The errors of ``records(matching:)``.
    package func explain(_ query: RecordQuery) throws -> QueryExplanation {
        let query = try query.hidingExpired(in: self) ?? query
        var report = try run(query) { _, _ in .next }.report
        report.unusedIndexes = try unusedIndexes(query)
        return report
    }

    func run(
        _ query: borrowing RecordQuery, _ body: (Key, borrowing RecordView) throws -> Scan.Step
    ) throws -> QueryPage {
        if let current = try query.hidingExpired(in: self) { return try run(current, body) }
        if let cursor = query.cursor { try RecordQuery.Cursor.check(cursor.values.count, sortCount: query.sort.count) }
        var page = QueryPage()
        if let limit = query.limit, limit < 1 {
            try Key.validate(collection: query.collection)
            return page
        }
        let plan = try QueryPlan(query, in: self)
        switch plan {
        case .ranges(let indexes):
            page.report.index = indexes.map(\.field.name).joined(separator: " and ")
            try forEach(in: plan, query, &page, body)
        case .order(let index):
            page.report.index = index.field.name
            page.report.isInOrder = true
            try forEachInOrder(of: index, query, &page, body)
        case .collection(let ids):
            // The name of a collection with an index has already been validated.
            try Key.validate(collection: query.collection)
            try forEach(in: plan, query, &page, body)
            if ids != nil {
                page.report.index = QueryField.id.name
                page.report.isInOrder = query.isByID
                page.report.entryCount = page.report.entityCount
            }
        }
        return page
    }

    /// Passes the matching records among the candidates of a plan to a closure, in the order of the query.
    ///
    /// If this is the order of the ids, the candidates are read in this order, starting after the cursor. For any other
    /// order, the function selects the first positions among all candidates, and then reads the records at these
    /// positions.
    private func forEach(
        in plan: QueryPlan, _ query: borrowing RecordQuery, _ page: inout QueryPage,
        _ body: (Key, borrowing RecordView) throws -> Scan.Step
    ) throws {
        let isByID = query.isByID
        let isReversed = isByID && query.isDescending
        let cursor = isByID ? query.cursor : nil
        func remaining(_ ids: IDRange) -> IDRange {
            cursor.map { isReversed ? ids.before($0.id) : ids.after($0.id) } ?? ids
        }
        var first = TopK(copy query)
        func visit(_ key: Key, _ view: borrowing RecordView) throws -> Scan.Step {
            if isByID { return try page.visit(key, view, of: query, body) }
            first.insert(try query.position(of: view, key))
            return .next
        }
        switch plan {
        case .collection(let ids):
            let test = query.condition?.test
            for range in isReversed ? (ids ?? [.all]).reversed() : ids ?? [.all] {
                let scan = Scan(stored: query.collection, ids: remaining(range), isReversed: isReversed)
                let step = try forEachBytes(in: scan) { id, view in
                    page.report.entityCount += 1
                    // A key is created only for a match, and for a condition on the id.
                    func key() -> Key { Key(stored: String(decoding: id), in: query.collection) }
                    return try meets(view, test, key()) ? visit(key(), view) : .next
                }
                if step == .stop { return }
            }
        case .ranges, .order:
            let indexes = plan.paths
            var ids = try indexes.flatMap { try self.ids(in: $0.ranges + $0.overflowRanges, of: $0) }
            page.report.entryCount = ids.count
            // An overflow entry does not contain the value, so the whole condition must be evaluated.
            let hasOverflow = indexes.contains(where: \.hasOverflowEntries)
            let test = hasOverflow ? query.condition?.test : indexes.first?.test
            let names = page.report.index ?? ""
            if isByID || indexes.count > 1 || !indexes[0].field.isSingle { ids.sortDroppingRepeated() }
            let all = remaining(.all)
            for id in isReversed ? ids.reversed() : ids where all.contains(id) {
                page.report.entityCount += 1
                let step = try withRecord(of: id, names, query, matching: test) { key, view in try visit(key, view) }
                if step == .stop { return }
            }
        }
        if !isByID { try self.visit(first.ordered()[...], of: query, &page, body) }
    }

    /// Passes the records at the given positions to a closure until the page is full or the closure returns `.stop`.
    @discardableResult
    func visit(
        _ positions: ArraySlice<RecordQuery.Cursor>, of query: borrowing RecordQuery, _ page: inout QueryPage,
        _ body: (Key, borrowing RecordView) throws -> Scan.Step
    ) throws -> Scan.Step {
        for position in positions {
            let key = Key(stored: position.id, in: query.collection)
            // The record exists, because the transaction sees one snapshot.
            if try withView(of: key, { view in try page.visit(key, view, of: query, body) }) == .stop { return .stop }
        }
        return .next
    }
}

extension WriteTransaction {
    /// Passes the records that a query selects to a closure, including uncommitted changes of this transaction.
    @discardableResult
    package mutating func forEachView(
        matching query: RecordQuery, _ body: (Key, borrowing RecordView) throws -> Scan.Step
    ) throws -> RecordQuery.Cursor? {
        try reading(query.collection) { try $0.forEachView(matching: query, body) }
    }

    /// Returns the records that a query selects, including uncommitted changes of this transaction.
    package mutating func records(matching query: RecordQuery) throws -> RecordQuery.Page {
        try reading(query.collection) { try $0.records(matching: query) }
    }

    /// Passes the uncommitted state of this transaction to a closure that queries a collection.
    package mutating func reading<Result>(
        _ collection: String, _ body: (borrowing ReadTransaction) throws -> Result
    ) rethrows -> Result {
        // The query may have created an index. Later writes of the transaction must maintain it, too.
        defer { if backend.isInMemory { forgetIndexes(of: collection) } }
        return try body(reading)
    }
}

/// What a query has read and passed to its closure so far, and the position at which the page has ended.
struct QueryPage {
    /// The report on the query. Its `foundCount` is the number of passed records.
    var report = QueryExplanation()
    /// The position of the last record if the page is full or the closure has returned `.stop`, otherwise `nil`.
    private(set) var next: RecordQuery.Cursor?

    /// Passes a record to a closure and returns whether to continue.
    mutating func visit(
        _ key: Key, _ view: borrowing RecordView, of query: borrowing RecordQuery,
        _ body: (Key, borrowing RecordView) throws -> Scan.Step
    ) throws -> Scan.Step {
        report.foundCount += 1
        let step = try body(key, view)
        guard step == .stop || report.foundCount == query.limit else { return .next }
        next = try query.position(of: view, key)
        return .stop
    }
}
