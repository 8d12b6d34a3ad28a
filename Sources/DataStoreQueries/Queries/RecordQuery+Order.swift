import DataStoreCore

extension RecordQuery {
    /// The place of a record in the order.
    func place(of record: borrowing RecordView, _ key: Key) throws(DataStoreError) -> Cursor {
        var values: [Value?] = []
        values.reserveCapacity(sort.count)
        do {
            for sortKey in sort { values.append(try sortKey.field.leastValue(in: record, id: key.id)) }
        } catch {
            throw error.adding(operation: "read a record", key: key)
        }
        return Cursor(values: values, id: key.id)
    }

    /// Whether a record meets the condition.
    func holds(in record: borrowing RecordView, _ key: Key) throws(DataStoreError) -> Bool {
        try condition?.holds(in: record, key) ?? true
    }

    /// The place of a record that is one of the answers and comes after the cursor; nil where it is not.
    func nextPlace(of record: borrowing RecordView, _ key: Key) throws(DataStoreError) -> Cursor? {
        guard try holds(in: record, key) else { return nil }
        let place = try place(of: record, key)
        return isAfterCursor(place) ? place : nil
    }

    /// Whether a place comes after the cursor, or there is none.
    func isAfterCursor(_ place: Cursor) -> Bool { cursor.map { precedes($0, place) } ?? true }

    /// Whether the left place comes before the right one.
    func precedes(_ left: Cursor, _ right: Cursor) -> Bool {
        for (index, key) in sort.enumerated() {
            let ordering = Value.ordering(inSort: left.values[index], right.values[index])
            switch key.isDescending ? ordering.reversed : ordering {
            case .before: return true
            case .same: continue
            case .after: return false
            }
        }
        return left.id.ordering(byBytes: right.id) == .before
    }

    /// Refuses a cursor that cannot be of this order.
    func checkCursor() throws(DataStoreError) {
        guard let cursor, cursor.values.count != sort.count else { return }
        throw DataStoreError(
            .invalidQuery,
            "the cursor is of a sort by \(cursor.values.count) fields, and the query sorts by \(sort.count); use one "
                + "sort for all pages",
            operation: "find records")
    }
}

extension Condition {
    /// Whether a record meets the condition.
    func holds(in record: borrowing RecordView, _ key: Key) throws(DataStoreError) -> Bool {
        do {
            return try holds(in: record, id: key.id)
        } catch {
            throw error.adding(operation: "read a record", key: key)
        }
    }
}
