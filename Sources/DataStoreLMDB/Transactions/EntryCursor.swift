import DataStoreCore

/// The direction of a move to an adjacent entry.
enum CursorMove { case next, previous }

/// A position among the entries of a tree, in the order of their keys.
///
/// Spans are valid only in the closure that receives them.
protocol EntryCursor: ~Copyable {
    /// Moves to the first entry whose key is not before the given bytes, and passes it to `body`.
    ///
    /// - Returns: The result of `body`, or `nil` if no such entry exists.
    mutating func first<Result>(
        from bytes: Span<UInt8>, _ body: (_ key: Span<UInt8>, _ value: Span<UInt8>) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result?

    /// Moves to the last entry whose key is before the given bytes, and passes it to `body`.
    ///
    /// - Returns: The result of `body`, or `nil` if no such entry exists.
    mutating func last<Result>(
        before bytes: Span<UInt8>, _ body: (_ key: Span<UInt8>, _ value: Span<UInt8>) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result?

    /// Moves to the next or previous entry, and passes it to `body`.
    ///
    /// - Returns: The result of `body`, or `nil` if no such entry exists.
    mutating func move<Result>(
        _ move: CursorMove, _ body: (_ key: Span<UInt8>, _ value: Span<UInt8>) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result?
}
