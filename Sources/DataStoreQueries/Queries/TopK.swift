import DataStoreCore

/// A selection of the first positions in the order of a query, up to its limit. It does not sort all positions.
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
