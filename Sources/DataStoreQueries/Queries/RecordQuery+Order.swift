extension RecordQuery {
    /// Whether the records are in the ascending or descending order of their ids.
    var isByID: Bool { sort.first?.field.isID ?? true }

    /// Whether the first sort key is descending.
    var isDescending: Bool { sort.first?.isDescending ?? false }

    /// Returns the position of a record in the order of the query.
    func position(of record: borrowing RecordView, _ key: Key) throws(DataStoreError) -> Cursor {
        var values: [Value?] = []
        values.reserveCapacity(sort.count)
        do {
            for sortKey in sort { values.append(try sortKey.field.leastValue(in: record, id: key.id)) }
        } catch {
            throw error.adding(operation: "read a record", key: key)
        }
        return Cursor(values: values, id: key.id)
    }

    /// Returns whether a position comes after the cursor. Without a cursor, the result is `true`.
    func isAfterCursor(_ position: Cursor) -> Bool { cursor.map { precedes($0, position) } ?? true }

    /// Returns whether a page of the query contains a record. The page ends at a position, or is the last one.
    package func contains(
        _ record: borrowing RecordView, _ key: Key, upTo end: Cursor?
    ) throws(DataStoreError) -> Bool {
        guard try meets(record, condition?.test, key) else { return false }
        guard cursor != nil || end != nil else { return true }
        let position = try position(of: record, key)
        return isAfterCursor(position) && end.map { !precedes($0, position) } ?? true
    }

    /// Returns whether the left position comes before the right one.
    func precedes(_ left: Cursor, _ right: Cursor) -> Bool {
        for (index, key) in sort.enumerated() {
            let ordering = Value.ordering(inSort: left.values[index], right.values[index])
            if ordering != .same { return (ordering == .before) != key.isDescending }
        }
        return left.id.byteOrder(to: right.id) < 0
    }
}

extension RecordQuery.Cursor {
    /// Throws a `DataStoreError` with the code `invalidQuery` if the number of a cursor's values differs from the
    /// number of a query's sort keys.
    package static func check(_ count: Int, sortCount: Int) throws(DataStoreError) {
        guard count != sortCount else { return }
        throw DataStoreError(
            .invalidQuery,
            "the cursor belongs to a sort by \(count) fields, but the query sorts by \(sortCount); use the same sort "
                + "for all pages", operation: "find records")
    }
}

extension DataStoreError {
    /// Runs a closure, and adds an operation and the key of a record to its error.
    @inline(__always)
    static func adding<Result>(
        _ operation: String, _ key: Key, _ body: () throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        do {
            return try body()
        } catch {
            throw error.adding(operation: operation, key: key)
        }
    }
}

/// Returns whether a record meets a test. An error names the key of the record.
func meets(
    _ record: borrowing RecordView, _ test: Condition.Test?, _ key: @autoclosure () -> Key
) throws(DataStoreError) -> Bool {
    guard let test else { return true }
    do {
        return try test(record) { key().id }
    } catch {
        throw error.adding(operation: "read a record", key: key())
    }
}

/// A selection of the first positions after the cursor of a query, up to its limit. It does not sort all positions.
struct TopK {
    private let query: RecordQuery
    private let count: Int
    /// The candidates, at most twice as many as the limit. Dropping the last half at once costs less than keeping the
    /// positions sorted.
    private var positions: [RecordQuery.Cursor] = []
    /// The greatest candidate after the last reduction to the limit, or `nil` before the first reduction. Positions
    /// after it cannot be selected.
    private var last: RecordQuery.Cursor?

    init(_ query: RecordQuery) {
        self.query = query
        count = query.limit ?? .max
    }

    /// Adds a position to the candidates, unless it cannot be selected.
    mutating func insert(_ position: RecordQuery.Cursor) {
        guard query.isAfterCursor(position) else { return }
        if let last, !query.precedes(position, last) { return }
        positions.append(position)
        // The expression 2 * count could overflow.
        guard positions.count - count >= count else { return }
        drop()
        last = positions.last
    }

    /// Returns the selected positions in ascending order.
    mutating func ordered() -> [RecordQuery.Cursor] {
        drop()
        return positions
    }

    private mutating func drop() {
        positions.sort { query.precedes($0, $1) }
        positions.removeLast(max(0, positions.count - count))
    }
}
