import RecordFraming

/// A position among the entries of a tree, in the order of their keys.
protocol EntryCursor: ~Copyable {
    /// Moves to the first entry whose key is not before the given bytes, and returns whether it exists.
    mutating func moveToFirst(from bytes: Span<UInt8>) throws(DataStoreError) -> Bool

    /// Moves to the last entry whose key is before the given bytes, and returns whether it exists.
    mutating func moveToLast(before bytes: Span<UInt8>) throws(DataStoreError) -> Bool

    /// Moves to the next or previous entry, verifies the order of the keys, and returns whether the entry exists.
    mutating func move(isReversed: Bool) throws(DataStoreError) -> Bool

    /// Passes the current entry to `body`. Call this function only after a move that found an entry.
    ///
    /// The spans are valid only in the closure.
    func withEntry<Result>(
        _ body: (_ key: Span<UInt8>, _ value: Span<UInt8>) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result
}

/// These functions read records with the cursors of liblmdb and with verifying cursors.
///
/// They also verify the neighbors of the entries that they return. Otherwise a damaged key, or a branch page that
/// refers to a wrong leaf page, would hide records without an error.
extension EntryCursor where Self: ~Copyable {
    /// Passes the records of a scan to `visit`, in the order of the scan. `decoder` creates the views of the records.
    mutating func scan(
        _ scan: Scan, using decoder: StoredRecord, _ visit: (Key, borrowing RecordView) -> Scan.Step
    ) throws(DataStoreError) {
        // The closure captures only the name and not the whole scan.
        let collection = scan.collection
        try scanBytes(scan, using: decoder) { id, view throws(DataStoreError) in
            visit(try KeyBytes.stored(id, in: collection), view)
        }
    }

    /// Passes the records of a scan, with their ids as bytes, to `visit`, in the order of the scan.
    @inline(__always)
    mutating func scanBytes(
        _ scan: borrowing Scan, using decoder: StoredRecord,
        _ visit: (Span<UInt8>, borrowing RecordView) throws(DataStoreError) -> Scan.Step
    ) throws(DataStoreError) {
        // A local constant, so that the loop does not access the scan for each entry.
        let collection = scan.collection
        try KeyBytes.withBounds(of: scan.ids, in: collection) { start, end throws(DataStoreError) in
            var remaining = scan.limit ?? Int.max
            guard remaining > 0 else { return }
            // Every key in the range begins with these bytes.
            let prefix = start.extracting(first: collection.utf8.count + 1)
            let isReversed = scan.isReversed
            var hasEntry = try moveToStart(isReversed ? end : start, of: prefix, isReversed: isReversed)
            while hasEntry {
                let step = try withEntry { key, frame throws(DataStoreError) -> Scan.Step in
                    guard isReversed ? !key.precedes(start) : key.precedes(end) else {
                        try Self.verify(key, frame, beside: prefix)
                        return .stop
                    }
                    let id = key.extracting(droppingFirst: prefix.count)
                    do throws(DataStoreError) {
                        try RecordFrame.verify(frame, key: key)
                    } catch {
                        throw error.adding(operation: "read a record", key: try KeyBytes.stored(id, in: collection))
                    }
                    let cbor = frame.extracting(droppingFirst: RecordFrame.headCount)
                    return try decoder.withView(of: cbor) { view throws(DataStoreError) in try visit(id, view) }
                }
                remaining -= 1
                guard step == .next, remaining > 0 else { return }
                hasEntry = try move(isReversed: isReversed)
            }
        }
    }

    /// Passes the record of a key to a closure, and returns whether the record exists. `decoder` provides the view.
    mutating func view(
        _ key: Key, using decoder: StoredRecord, _ body: (borrowing RecordView) -> Void
    ) throws(DataStoreError) -> Bool {
        let isFound = try KeyBytes.with(key) { bytes throws(DataStoreError) in
            guard try moveToFirst(from: bytes) else { return false }
            return try withEntry { found, frame throws(DataStoreError) in
                // The found key is not before the given key. It is therefore equal unless it comes after that key.
                guard !bytes.precedes(found) else { return false }
                try decoder.view(frame, of: found, body)
                return true
            }
        }
        if !isFound { try verifyAbsence(of: key) }
        return isFound
    }

    /// Verifies the entries on both sides of a key that was not found.
    mutating func verifyAbsence(of key: Key) throws(DataStoreError) {
        try KeyBytes.with(key) { bytes throws(DataStoreError) in
            let prefix = bytes.extracting(first: key.collection.utf8.count + 1)
            guard try moveToStart(bytes, of: prefix) else { return }
            try withEntry { found, frame throws(DataStoreError) in
                guard bytes.precedes(found) else { throw Self.outOfOrder }
                try Self.verify(found, frame, beside: prefix)
            }
        }
    }

    /// Returns the name of the next collection. Keys that begin with a NUL belong to the store and are skipped.
    ///
    /// - Parameter name: The name after which the collection comes in the order of the keys, or `nil` for the first
    ///   collection.
    /// - Returns: The name, or `nil` if no further collection exists.
    /// - Throws: `DataStoreError` if the keys cannot be read or are damaged.
    mutating func collection(after name: String?) throws(DataStoreError) -> String? {
        let start: [UInt8] = name.map { Array($0.utf8) + [1] } ?? [1]
        guard try moveToStart(start.span, of: Span()) else { return nil }
        return try withEntry { key, _ throws(DataStoreError) in try KeyBytes.key(of: key).collection }
    }

    /// Moves to the first entry of a scan, and verifies the entry before it in the order of the scan. The caller
    /// verifies the found entry.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of a key, or of the beginning of a key. The scan begins with the first entry whose key is
    ///     not before them. A reversed scan begins with the last entry whose key is before them.
    ///   - prefix: The name of the collection and the byte after it. If it is empty, only the order of the keys is
    ///     verified.
    ///   - isReversed: Whether the scan is reversed.
    /// - Returns: Whether the entry exists.
    /// - Throws: `DataStoreError` with the code `corrupted` if the keys are not in order, or if no entry is before the
    ///   given bytes. In an intact store, the record with the format version is before them.
    private mutating func moveToStart(
        _ bytes: Span<UInt8>, of prefix: Span<UInt8>, isReversed: Bool = false
    ) throws(DataStoreError) -> Bool {
        guard try isReversed ? moveToFirst(from: bytes) : moveToLast(before: bytes) else {
            if isReversed { return try moveToLast(before: bytes) }
            // The record of the format is before all others.
            throw Self.corrupted("the record of its format is missing")
        }
        try withEntry { key, frame throws(DataStoreError) in
            guard key.precedes(bytes) != isReversed else { throw Self.outOfOrder }
            try Self.verify(key, frame, beside: prefix)
        }
        guard try move(isReversed: isReversed) else { return false }
        try withEntry { key, _ throws(DataStoreError) in
            guard key.precedes(bytes) == isReversed else { throw Self.outOfOrder }
        }
        return true
    }

    static var outOfOrder: DataStoreError { corrupted("keys are not in order") }

    static func corrupted(_ reason: String) -> DataStoreError {
        DataStoreError.damaged(reason).adding(operation: "scan records")
    }

    /// Verifies the checksum of an entry beside the range of a scan. The checksum covers the key, too.
    ///
    /// An entry of another collection is verified only if a single changed byte in its key may have moved it out of the
    /// scanned collection.
    private static func verify(
        _ key: Span<UInt8>, _ frame: Span<UInt8>, beside prefix: Span<UInt8>
    ) throws(DataStoreError) {
        guard !prefix.isEmpty, key.count >= prefix.count, prefix.indices.count(where: { key[$0] != prefix[$0] }) <= 1
        else { return }
        do throws(DataStoreError) {
            try RecordFrame.verify(frame, key: key)
        } catch {
            let text = String(utf8: key)?.escapingControlCharacters ?? "not UTF-8"
            throw DataStoreError(
                .corrupted, "an entry next to the scanned records is corrupted (key \(text))",
                operation: "scan records", underlying: error)
        }
    }
}
