package import DataStoreCore

extension ReadTransaction {
    /// Passes the records that a query selects to a closure, in the order of the query.
    ///
    /// For other records, only the fields that the condition needs are read. A sort keeps the sort values and ids of at
    /// most twice the limit in memory, or of all matches without a limit; records are read when they are passed. If an
    /// index has the order of the sort, only ties in its first key are kept.
    ///
    /// - Parameters:
    ///   - query: The condition, the order and the number of records.
    ///   - body: Receives a key and its record, and returns whether to continue.
    /// - Returns: The position after the last record if there may be more, or `nil`.
    /// - Throws: What `body` throws, or `DataStoreError`, e.g. with the code `corrupted` if a record that was read is
    ///   damaged, or `invalidQuery` for a cursor of another sort.
    @discardableResult
    package func forEachView(
        matching query: RecordQuery, _ body: (Key, borrowing RecordView) throws -> Scan.Step
    ) throws -> RecordQuery.Cursor? {
        var report = QueryReport()
        return try run(query, &report, body)
    }

    /// Returns the records that a query selects.
    ///
    /// - Parameter query: The condition, the order and the number of records.
    /// - Returns: A page, all in memory at once.
    /// - Throws: `DataStoreError`, e.g. with the code `corrupted` if a record that was read is damaged, or
    ///   `invalidQuery` for a cursor of another sort.
    package func records(matching query: RecordQuery) throws -> RecordQuery.Page {
        var entries: [Entry] = []
        let next = try forEachView(matching: query) { key, view in
            entries.append(Entry(key: key, record: try view.record()))
            return .next
        }
        return RecordQuery.Page(entries: entries, next: next)
    }

    /// Returns the number of records that meet the condition of a query. No record is read if an index contains one
    /// entry for each of them and for no other record.
    ///
    /// - Parameter query: The condition. Its order, limit and cursor must be empty.
    /// - Returns: The number.
    /// - Throws: `DataStoreError`, as ``records(matching:)``.
    package func count(matching query: RecordQuery) throws -> Int {
        switch try QueryPlan(query, in: self) {
        case .ranges(let index) where index.isCountable, .order(let index) where index.isCountable:
            return try entryCount(of: index)
        default:
            return try explain(query).foundCount
        }
    }

    /// Answers a query and reports how.
    ///
    /// - Parameter query: The condition, the order and the number of records.
    /// - Returns: The index that was used, and the number of entries and records that were read.
    /// - Throws: `DataStoreError`, as ``records(matching:)``.
    package func explain(_ query: RecordQuery) throws -> QueryReport {
        var report = QueryReport()
        try run(query, &report) { _, _ in .next }
        return report
    }

    @discardableResult
    fileprivate func run(
        _ query: borrowing RecordQuery, _ report: inout QueryReport,
        _ body: (Key, borrowing RecordView) throws -> Scan.Step
    ) throws -> RecordQuery.Cursor? {
        try query.checkCursor()
        if let limit = query.limit, limit < 1 {
            try Key.validate(collection: query.collection)
            return nil
        }
        var page = QueryPage()
        switch try QueryPlan(query, in: self) {
        case .ranges(let index):
            report.index = index.field.name
            try forEach(in: index, query, &page, &report, body)
        case .order(let index):
            report.index = index.field.name
            report.isInOrder = true
            try forEachInOrder(of: index, query, &page, &report, body)
        case .collection(let ids):
            // A collection with an index has a valid name.
            try Key.validate(collection: query.collection)
            if ids != nil { report.index = QueryField.id.name }
            if let first = query.sort.first, !first.field.isID {
                try forEachSorted(in: ids ?? [.all], query, &page, &report, body)
            } else {
                report.isInOrder = ids != nil
                try forEachByID(in: ids ?? [.all], query, &page, &report, body)
            }
            report.entryCount = ids == nil ? 0 : report.recordCount
        }
        report.foundCount = page.count
        return page.next
    }

    /// Passes the matching records in the order of their ids, from the cursor on.
    private func forEachByID(
        in ids: [IDRange], _ query: borrowing RecordQuery, _ page: inout QueryPage, _ report: inout QueryReport,
        _ body: (Key, borrowing RecordView) throws -> Scan.Step
    ) throws {
        let isReversed = query.sort.first?.isDescending ?? false
        var step = Scan.Step.next
        for range in isReversed ? ids.reversed() : ids where step == .next {
            let remaining = query.cursor.map { isReversed ? range.before($0.id) : range.after($0.id) } ?? range
            try forEachView(in: Scan(stored: query.collection, ids: remaining, isReversed: isReversed)) { key, view in
                report.recordCount += 1
                step = try query.holds(in: view, key) ? try page.visit(key, view, of: query, body) : .next
                return step
            }
        }
    }

    /// Answers in any other order: selects the first positions among all records, then reads the records there.
    private func forEachSorted(
        in ids: [IDRange], _ query: borrowing RecordQuery, _ page: inout QueryPage, _ report: inout QueryReport,
        _ body: (Key, borrowing RecordView) throws -> Scan.Step
    ) throws {
        var first = TopK(copy query)
        for range in ids {
            try forEachView(in: Scan(stored: query.collection, ids: range)) { key, view in
                report.recordCount += 1
                if let position = try query.nextPosition(of: view, key) { first.insert(position) }
                return .next
            }
        }
        try visit(first.ordered(), of: query, &page, body)
    }

    /// Passes the records at some positions, until the page is full.
    @discardableResult
    func visit(
        _ positions: [RecordQuery.Cursor], of query: borrowing RecordQuery, _ page: inout QueryPage,
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
    /// Passes the records that a query selects to a closure.
    @discardableResult
    package func forEachView(
        matching query: RecordQuery, _ body: (Key, borrowing RecordView) throws -> Scan.Step
    ) throws -> RecordQuery.Cursor? {
        defer { didQuery(query) }
        return try reading.forEachView(matching: query, body)
    }

    /// Returns the records that a query selects.
    package func records(matching query: RecordQuery) throws -> RecordQuery.Page {
        defer { didQuery(query) }
        return try reading.records(matching: query)
    }

    /// Later writes must also maintain an index that the query has created.
    private func didQuery(_ query: RecordQuery) {
        if backend.isInMemory { indexes.forget(query.collection) }
    }
}

/// The page of an answer, while its records are passed to a closure.
struct QueryPage {
    /// The number of records that were passed.
    private(set) var count = 0
    /// The position after this page, or `nil` if the answer ends before the page is full.
    private(set) var next: RecordQuery.Cursor?

    /// Passes a record, and returns whether to continue.
    mutating func visit(
        _ key: Key, _ view: borrowing RecordView, of query: borrowing RecordQuery,
        _ body: (Key, borrowing RecordView) throws -> Scan.Step
    ) throws -> Scan.Step {
        count += 1
        let step = try body(key, view)
        guard step == .stop || count == query.limit else { return .next }
        next = try query.position(of: view, key)
        return .stop
    }
}
