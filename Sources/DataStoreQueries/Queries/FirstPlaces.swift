import DataStoreCore

/// The places that come first of all that are shown, so many at most.
struct FirstPlaces {
    private let query: RecordQuery
    private let count: Int
    /// At most twice as many as are wanted: then the last ones are dropped, which costs less than to keep them in
    /// order.
    private var places: [RecordQuery.Cursor] = []
    /// None after it is wanted any more.
    private var last: RecordQuery.Cursor?

    init(_ query: RecordQuery) {
        self.query = query
        count = query.limit ?? .max
    }

    /// Takes a place into account.
    mutating func insert(_ place: RecordQuery.Cursor) {
        if let last, !query.precedes(place, last) { return }
        places.append(place)
        // Not 2 * count: that may be more than a number holds.
        guard places.count - count >= count else { return }
        drop()
        last = places.last
    }

    /// The places in order.
    mutating func ordered() -> [RecordQuery.Cursor] {
        drop()
        return places
    }

    private mutating func drop() {
        places.sort { query.precedes($0, $1) }
        places.removeLast(max(0, places.count - count))
    }
}
