package import DataStoreCore

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
        switch try QueryPlan(query, in: self) {
        case .ranges(let indexes):
            page.report.index = indexes.map(\.field.name).joined(separator: " and ")
            try forEach(in: indexes, query, &page, body)
        case .order(let index):
            page.report.index = index.field.name
            page.report.isInOrder = true
            try forEachInOrder(of: index, query, &page, body)
        case .collection(let ids):
            // The name of a collection with an index has already been validated.
            try Key.validate(collection: query.collection)
            if query.isByID {
                try forEachByID(in: ids ?? [.all], query, &page, body)
            } else {
                try forEachSorted(in: ids ?? [.all], query, &page, body)
            }
            if ids != nil {
                page.report.index = QueryField.id.name
                page.report.isInOrder = query.isByID
                page.report.entryCount = page.report.entityCount
            }
        }
        return page
    }

    /// Passes the matching records to a closure in ascending or descending order of their ids, starting after the
    /// cursor.
    private func forEachByID(
        in ids: [IDRange], _ query: borrowing RecordQuery, _ page: inout QueryPage,
        _ body: (Key, borrowing RecordView) throws -> Scan.Step
    ) throws {
        let isReversed = query.isDescending
        let test = query.condition?.test
        for range in isReversed ? ids.reversed() : ids {
            let remaining = query.cursor.map { isReversed ? range.before($0.id) : range.after($0.id) } ?? range
            let scan = Scan(stored: query.collection, ids: remaining, isReversed: isReversed)
            let step = try forEachBytes(in: scan) { id, view in
                page.report.entityCount += 1
                // A key is created only for a match, and for a condition on the id.
                func key() -> Key { Key(stored: String(decoding: id), in: query.collection) }
                return try meets(view, test, key()) ? page.visit(key(), view, of: query, body) : .next
            }
            if step == .stop { return }
        }
    }

    /// Passes the matching records to a closure in the order of the sort keys. It selects the first positions among all
    /// records, and then reads the records at these positions.
    private func forEachSorted(
        in ids: [IDRange], _ query: borrowing RecordQuery, _ page: inout QueryPage,
        _ body: (Key, borrowing RecordView) throws -> Scan.Step
    ) throws {
        var first = TopK(copy query)
        let test = query.condition?.test
        for range in ids {
            try forEachView(in: Scan(stored: query.collection, ids: range)) { key, view in
                page.report.entityCount += 1
                if try meets(view, test, key) { first.insert(try query.position(of: view, key)) }
                return .next
            }
        }
        try visit(first.ordered()[...], of: query, &page, body)
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
