public import DataStoreCore

extension ReadTransaction {
    /// Shows the records that a query finds, in its order, one after the other. ``RecordQuery`` says what is found.
    ///
    /// Of records that are not shown only the fields are read that the query asks for. Where it sorts, the sort values
    /// and ids of the page are in memory (at most twice as many as the limit says, or all that meet the condition where
    /// there is none), and each record is read when it is shown. Along an index that is in the order of the sort, only
    /// those are that tie in its first key.
    ///
    /// - Parameters:
    ///   - query: which records, in which order, and how many.
    ///   - body: is shown a key and its record, and says whether to go on.
    /// - Returns: where the next page begins: after the last record shown where there may be more, else nil.
    /// - Throws: what `body` threw, or a `DataStoreError`, e.g. with the code `corrupted` where a
    ///   record that was looked at is damaged, or `invalidQuery` for a cursor of another sort.
    @discardableResult
    package func forEachView(
        matching query: RecordQuery, _ body: (Key, borrowing RecordView) throws -> Scan.Step
    ) throws -> RecordQuery.Cursor? {
        var report = QueryReport()
        return try answer(query, &report, body)
    }

    /// Returns the records that a query selects.
    ///
    /// - Parameter query: The condition, the order and the number of records.
    /// - Returns: A page, all in memory at once.
    /// - Throws: `DataStoreError`, e.g. with the code `corrupted` if a record that was read is damaged, or `invalidQuery` for a
    ///   cursor of another sort.
    public func records(matching query: RecordQuery) throws -> RecordQuery.Page {
        var entries: [Entry] = []
        let next = try forEachView(matching: query) { key, view in
            entries.append(Entry(key: key, record: try view.record()))
            return .next
        }
        return RecordQuery.Page(entries: entries, next: next)
    }

    /// Answers a query and says how.
    ///
    /// - Parameter query: which records, in which order, and how many.
    /// - Returns: which index was used, and how many entries and records were looked at.
    /// - Throws: `DataStoreError`; ``forEachView(matching:_:)`` says which.
    package func explain(_ query: RecordQuery) throws -> QueryReport {
        var report = QueryReport()
        try answer(query, &report) { _, _ in .next }
        return report
    }

    @discardableResult
    fileprivate func answer(
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

    /// Answers in the order of the ids: the records are shown as they come, from the cursor on.
    private func forEachByID(
        in ids: [IDRange], _ query: borrowing RecordQuery, _ page: inout QueryPage, _ report: inout QueryReport,
        _ body: (Key, borrowing RecordView) throws -> Scan.Step
    ) throws {
        let isReversed = query.sort.first?.isDescending ?? false
        var step = Scan.Step.next
        for range in isReversed ? ids.reversed() : ids where step == .next {
            let rest = query.cursor.map { isReversed ? range.before($0.id) : range.after($0.id) } ?? range
            try forEachView(in: Scan(kept: query.collection, ids: rest, isReversed: isReversed)) { key, view in
                report.recordCount += 1
                step = try query.holds(in: view, key) ? try page.show(key, view, of: query, body) : .next
                return step
            }
        }
    }

    /// Answers in any other order: looks at all records for the places that come first, then shows those.
    private func forEachSorted(
        in ids: [IDRange], _ query: borrowing RecordQuery, _ page: inout QueryPage, _ report: inout QueryReport,
        _ body: (Key, borrowing RecordView) throws -> Scan.Step
    ) throws {
        var first = FirstPlaces(copy query)
        for range in ids {
            try forEachView(in: Scan(kept: query.collection, ids: range)) { key, view in
                report.recordCount += 1
                if let place = try query.nextPlace(of: view, key) { first.insert(place) }
                return .next
            }
        }
        try show(first.ordered(), of: query, &page, body)
    }

    /// Shows the records of places, until there were enough.
    @discardableResult
    func show(
        _ places: [RecordQuery.Cursor], of query: borrowing RecordQuery, _ page: inout QueryPage,
        _ body: (Key, borrowing RecordView) throws -> Scan.Step
    ) throws -> Scan.Step {
        for place in places {
            let key = Key(kept: place.id, in: query.collection)
            // It was there a moment ago, and the transaction sees one snapshot.
            if try withView(of: key, { view in try page.show(key, view, of: query, body) }) == .stop { return .stop }
        }
        return .next
    }
}

extension WriteTransaction {
    /// Passes the records that a query finds to a closure; `forEachView(matching:_:)` describes it.
    @discardableResult
    package func forEachView(
        matching query: RecordQuery, _ body: (Key, borrowing RecordView) throws -> Scan.Step
    ) throws -> RecordQuery.Cursor? {
        defer { didQuery(query) }
        return try reading.forEachView(matching: query, body)
    }

    /// Returns the records that a query finds.
    public func records(matching query: RecordQuery) throws -> RecordQuery.Page {
        defer { didQuery(query) }
        return try reading.records(matching: query)
    }

    /// Answers a query and returns how the answer was found.
    package func explain(_ query: RecordQuery) throws -> QueryReport {
        defer { didQuery(query) }
        return try reading.explain(query)
    }

    /// What is written from now on must also go into an index that the query has created.
    private func didQuery(_ query: RecordQuery) {
        if backend.isInMemory { indexes.forget(query.collection) }
    }
}

/// What was shown of an answer.
struct QueryPage {
    /// How many records were shown.
    private(set) var count = 0
    /// Where the next page begins; nil where nothing says that there is one.
    private(set) var next: RecordQuery.Cursor?

    /// Shows a record, and answers whether to go on.
    mutating func show(
        _ key: Key, _ view: borrowing RecordView, of query: borrowing RecordQuery,
        _ body: (Key, borrowing RecordView) throws -> Scan.Step
    ) throws -> Scan.Step {
        count += 1
        let step = try body(key, view)
        guard step == .stop || count == query.limit else { return .next }
        next = try query.place(of: view, key)
        return .stop
    }
}
