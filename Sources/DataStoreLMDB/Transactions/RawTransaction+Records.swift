import DataStoreCore

/// Records over bytes: what a reader and the writer read alike.
extension RawTransaction {
    /// The record of a key.
    func record(for key: Key) throws(DataStoreError) -> Record? {
        try KeyBytes.with(key) { bytes in
            Result { () throws(DataStoreError) in try record(for: bytes) }
        }.get()
    }

    /// The record of a key that is given by its bytes.
    func record(for key: Span<UInt8>) throws(DataStoreError) -> Record? {
        try get(key) { frame in
            Result { () throws(DataStoreError) in try RecordFrame.record(in: frame, key: key) }
        }?.get()
    }

    /// Shows records in the order of the scan.
    func scan(_ scan: Scan, _ visit: (Key, Record) -> Scan.Step) throws(DataStoreError) {
        var remaining = scan.limit ?? Int.max
        guard remaining > 0 else { return }
        let cursor = try cursor()
        let prefix = KeyBytes.prefix(scan.collection)
        // A collection's keys begin with its name and 0; none of them, and none before them, has 1 there.
        var move: Cursor.Move =
            scan.isReversed
            ? .last(before: scan.ids.upper.map { prefix + $0 } ?? prefix.dropLast() + [1])
            : .first(from: prefix + (scan.ids.lower ?? []))
        while let entry = try cursor.go(
            move,
            { key, frame in
                Result { () throws(DataStoreError) in try Self.entry(key, frame, in: scan, prefix) }
            })
        {
            guard let (key, record) = try entry.get() else { return }
            remaining -= 1
            guard visit(key, record) == .next, remaining > 0 else { return }
            move = scan.isReversed ? .previous : .next
        }
    }

    /// The key and record of an entry, or nil where it is beyond the scan.
    private static func entry(
        _ bytes: Span<UInt8>, _ frame: Span<UInt8>, in scan: Scan, _ prefix: [UInt8]
    ) throws(DataStoreError) -> (Key, Record)? {
        guard bytes.count >= prefix.count, prefix.indices.allSatisfy({ bytes[$0] == prefix[$0] }) else {
            try checkNeighbour(bytes, frame, of: scan)
            return nil
        }
        let key = try KeyBytes.key(of: bytes, in: scan.collection)
        if scan.isReversed ? scan.ids.isAbove(key.id) : scan.ids.isBelow(key.id) { return nil }
        do {
            return (key, try RecordFrame.record(in: frame, key: bytes))
        } catch {
            throw error.adding(operation: "read a record", key: key)
        }
    }

    /// A scan ends at the first key that is not of its collection. A damaged key must not pass for that: the checksum is
    /// of the key, too.
    private static func checkNeighbour(
        _ bytes: Span<UInt8>, _ frame: Span<UInt8>, of scan: Scan
    ) throws(DataStoreError) {
        do {
            try RecordFrame.verify(frame, key: bytes)
        } catch {
            let shown = String(utf8: bytes)?.escapingControlCharacters ?? "that is not UTF-8"
            throw DataStoreError(
                .corrupted, "an entry beside the collection \(scan.collection) is damaged, with the key \(shown)",
                operation: "scan records", underlying: error)
        }
    }
}
