import DataStoreCore

/// Selects the first positions in the order of a query, as many as its limit, without sorting all of them.
struct TopK {
    private let query: RecordQuery
    private let count: Int
    /// At most twice as many as the limit. The last ones are then dropped, which costs less than keeping them sorted.
    private var positions: [RecordQuery.Cursor] = []
    /// The last position that can be selected, if that is known.
    private var last: RecordQuery.Cursor?

    init(_ query: RecordQuery) {
        self.query = query
        count = query.limit ?? .max
    }

    /// Adds a position.
    mutating func insert(_ position: RecordQuery.Cursor) {
        if let last, !query.precedes(position, last) { return }
        positions.append(position)
        // Not 2 * count, which could overflow.
        guard positions.count - count >= count else { return }
        drop()
        last = positions.last
    }

    /// Returns the selected positions in order.
    mutating func ordered() -> [RecordQuery.Cursor] {
        drop()
        return positions
    }

    private mutating func drop() {
        positions.sort { query.precedes($0, $1) }
        positions.removeLast(max(0, positions.count - count))
    }
}
