extension RecordReading where Self: ~Copyable {
    /// Shows the records that a query finds, in its order, one after the other. ``RecordQuery`` says what is found.
    ///
    /// Of records that are not shown only the fields are read that the query asks for. Where it sorts, the sort values and ids of
    /// the page are in memory (at most twice as many as the limit says, or all that meet the condition where there is
    /// none), and each record is read when it is shown.
    ///
    /// - Parameters:
    ///   - query: which records, in which order, and how many.
    ///   - body: is shown a key and its record, and says whether to go on.
    /// - Returns: where the next page begins: after the last record shown where there may be more, else nil.
    /// - Throws: what `body` threw, or a ``DataStoreError``, e.g. with the code ``DataStoreError/Code/corrupted`` where a
    ///   record that was looked at is damaged, or ``DataStoreError/Code/invalidQuery`` for a cursor of another sort.
    @discardableResult
    public func forEachView(
        matching query: RecordQuery, _ body: (Key, borrowing RecordView) throws -> Scan.Step
    ) throws -> RecordQuery.Cursor? {
        try query.checkCursor()
        // Also where nothing is wanted, the collection must be one.
        let scan = try Scan(query.collection)
        if let limit = query.limit, limit < 1 { return nil }
        // What decides how the answer is found: nothing else depends on it.
        if let first = query.sort.first, !first.field.isID {
            return try forEachSorted(matching: query, in: scan, body)
        }
        return try forEachByID(matching: query, isReversed: query.sort.first?.isDescending ?? false, body)
    }

    /// The records that a query finds.
    ///
    /// - Parameter query: which records, in which order, and how many.
    /// - Returns: the page, all in memory at once.
    /// - Throws: ``DataStoreError``; ``RecordReading/forEachView(matching:_:)`` says which.
    public func records(matching query: RecordQuery) throws -> RecordQuery.Page {
        var entries: [Entry] = []
        let next = try forEachView(matching: query) { key, view in
            entries.append(Entry(key: key, record: try view.record()))
            return .next
        }
        return RecordQuery.Page(entries: entries, next: next)
    }

    /// Answers in the order of the ids: the records are shown as they come, from the cursor on.
    private func forEachByID(
        matching query: RecordQuery, isReversed: Bool, _ body: (Key, borrowing RecordView) throws -> Scan.Step
    ) throws -> RecordQuery.Cursor? {
        let ids = query.cursor.map { isReversed ? IDRange.before($0.id) : IDRange.after($0.id) } ?? .all
        var remaining = query.limit ?? .max
        var next: RecordQuery.Cursor?
        try forEachMatch(of: query, in: Scan(query.collection, ids: ids, isReversed: isReversed)) { key, view in
            remaining -= 1
            let step = try body(key, view)
            guard step == .stop || remaining == 0 else { return .next }
            next = try query.place(of: view, key)
            return .stop
        }
        return next
    }

    /// Answers in any other order: looks at all records for the places that come first, then shows those.
    private func forEachSorted(
        matching query: RecordQuery, in scan: Scan, _ body: (Key, borrowing RecordView) throws -> Scan.Step
    ) throws -> RecordQuery.Cursor? {
        var first = FirstPlaces(query)
        try forEachMatch(of: query, in: scan) { key, view in
            let place = try query.place(of: view, key)
            if query.cursor.map({ query.precedes($0, place) }) ?? true { first.insert(place) }
            return .next
        }
        let places = first.ordered()
        for (index, place) in places.enumerated() {
            let key = Key(kept: place.id, in: query.collection)
            let step = try withView(of: key) { view in try body(key, view) }
            // It was there a moment ago, and the transaction sees one snapshot.
            if step == .stop || index + 1 == query.limit { return place }
        }
        return nil
    }

    /// Shows the records of a scan that meet the condition.
    private func forEachMatch(
        of query: RecordQuery, in scan: Scan, _ body: (Key, borrowing RecordView) throws -> Scan.Step
    ) throws {
        try forEachView(in: scan) { key, view in
            do throws(DataStoreError) {
                if let condition = query.condition, try !condition.holds(in: view, id: key.id) { return .next }
            } catch {
                throw error.adding(operation: "read a record", key: key)
            }
            return try body(key, view)
        }
    }
}
