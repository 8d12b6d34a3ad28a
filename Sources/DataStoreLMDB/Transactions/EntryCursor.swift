import DataStoreCore

/// The direction of a move to an adjacent entry.
enum CursorMove { case next, previous }

/// A position among the entries of a tree, in the order of their keys.
protocol EntryCursor: ~Copyable {
    /// Moves to the first entry whose key is not before the given bytes, and returns whether it exists.
    mutating func moveToFirst(from bytes: Span<UInt8>) throws(DataStoreError) -> Bool

    /// Moves to the last entry whose key is before the given bytes, and returns whether it exists.
    mutating func moveToLast(before bytes: Span<UInt8>) throws(DataStoreError) -> Bool

    /// Moves to the next or previous entry, and returns whether it exists. The caller verifies the order of the keys.
    mutating func step(_ move: CursorMove) throws(DataStoreError) -> Bool

    /// Moves to the next or previous entry, verifies the order of the keys, and returns whether the entry exists.
    mutating func move(_ move: CursorMove) throws(DataStoreError) -> Bool

    /// Passes the current entry to `body`. Call this function only after a move that found an entry.
    ///
    /// The spans are valid only in the closure.
    func withEntry<Result>(
        _ body: (_ key: Span<UInt8>, _ value: Span<UInt8>) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result
}
