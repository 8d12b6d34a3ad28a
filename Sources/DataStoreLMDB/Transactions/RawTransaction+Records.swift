import DataStoreCore
import RecordFraming

/// Operations on records that readers and the writer share.
extension RawTransaction {
    /// Passes the record of a key to a closure, and returns whether the record exists. `decoder` provides the view.
    func view(
        _ key: Key, using decoder: StoredRecord, _ body: (borrowing RecordView) -> Void
    ) throws(DataStoreError) -> Bool {
        try KeyBytes.with(key) { bytes throws(DataStoreError) in try view(bytes, using: decoder, body) }
    }

    /// Passes the record of a key, which is given as bytes, to a closure, and returns whether the record exists.
    @inline(__always)
    func view(
        _ key: Span<UInt8>, using decoder: StoredRecord, _ body: (borrowing RecordView) -> Void
    ) throws(DataStoreError) -> Bool {
        try get(key) { frame throws(DataStoreError) in
            _ = decoder.withView(of: frame.extracting(try RecordFrame.body(of: frame, key: key))) { view in
                body(view)
                return .stop
            }
        } != nil
    }

    /// Passes the records of a scan to `visit`, in the order of the scan. `decoder` provides the views.
    func scan(
        _ scan: Scan, using decoder: StoredRecord, _ visit: (Key, borrowing RecordView) -> Scan.Step
    ) throws(DataStoreError) {
        // The closure captures only the name and not the whole scan.
        let collection = scan.collection
        var failure: DataStoreError?
        try scanBytes(scan, using: decoder) { id, view in
            do throws(DataStoreError) {
                return visit(try KeyBytes.stored(id, in: collection), view)
            } catch {
                failure = error
                return .stop
            }
        }
        if let failure { throw failure }
    }

    /// Passes the ids of a scan, as bytes, and the records to `visit`, in the order of the scan.
    func scanBytes(
        _ scan: borrowing Scan, using decoder: StoredRecord,
        _ visit: (Span<UInt8>, borrowing RecordView) -> Scan.Step
    ) throws(DataStoreError) {
        var remaining = scan.limit ?? Int.max
        guard remaining > 0 else { return }
        let cursor = try cursor()
        func visitEntry(_ key: Span<UInt8>, _ frame: Span<UInt8>) -> Result<Scan.Step, DataStoreError> {
            Result { () throws(DataStoreError) in try Self.visitEntry(key, frame, using: decoder, scan, visit) }
        }
        var step: Result<Scan.Step, DataStoreError>?
        if scan.isReversed {
            // The keys of a collection begin with its name and a 0 byte. The name and a 1 byte are therefore after all
            // of them.
            let end = scan.ids.upper.map { KeyBytes.prefix(scan.collection) + $0 } ?? Array(scan.collection.utf8) + [1]
            step = try cursor.last(before: end.span, visitEntry)
        } else {
            step = try KeyBytes.with(scan.collection, scan.ids.lower ?? []) { bytes throws(DataStoreError) in
                try cursor.first(from: bytes, visitEntry)
            }
        }
        while let result = step {
            remaining -= 1
            guard try result.get() == .next, remaining > 0 else { return }
            step = try cursor.move(scan.isReversed ? .previous : .next, visitEntry)
        }
    }

    /// Returns the name of the first collection, or of the first one after a name. Keys that begin with a NUL are the
    /// store's own and are skipped.
    func collection(after name: String?) throws(DataStoreError) -> String? {
        let first: [UInt8] = name.map { Array($0.utf8) + [1] } ?? [1]
        let found = try cursor().first(from: first.span) { key, _ in
            Result { () throws(DataStoreError) in try KeyBytes.key(of: key).collection }
        }
        return try found?.get()
    }

    /// Passes an entry to `visit` and returns its result, or returns `stop` if the entry is beyond the scan.
    private static func visitEntry(
        _ bytes: Span<UInt8>, _ frame: Span<UInt8>, using decoder: StoredRecord, _ scan: borrowing Scan,
        _ visit: (Span<UInt8>, borrowing RecordView) -> Scan.Step
    ) throws(DataStoreError) -> Scan.Step {
        let nameCount = scan.collection.utf8.count
        guard bytes.count > nameCount, bytes[nameCount] == 0, bytes.extracting(first: nameCount).isText(scan.collection)
        else {
            try checkNeighbour(bytes, frame, of: scan)
            return .stop
        }
        let id = bytes.extracting(droppingFirst: nameCount + 1)
        // Compares bytes before a key is created. A bounded scan ends at an entry beyond its range, or at a damaged
        // entry that only seems to be beyond it.
        let isBeyond =
            scan.isReversed
            ? scan.ids.lower.map { id.isOrdered(before: $0.span) } ?? false
            : scan.ids.upper.map { !id.isOrdered(before: $0.span) } ?? false
        if isBeyond {
            try checkNeighbour(bytes, frame, of: scan)
            return .stop
        }
        let body: Range<Int>
        do {
            body = try RecordFrame.body(of: frame, key: bytes)
        } catch {
            throw error.adding(operation: "read a record", key: try KeyBytes.stored(id, in: scan.collection))
        }
        return decoder.withView(of: frame.extracting(body)) { view in visit(id, view) }
    }

    /// Verifies the entry that ends a scan. A scan ends at the first key beyond it, and a damaged key must not end it
    /// unnoticed. The checksum covers the key, too.
    private static func checkNeighbour(
        _ bytes: Span<UInt8>, _ frame: Span<UInt8>, of scan: borrowing Scan
    ) throws(DataStoreError) {
        do {
            try RecordFrame.verify(frame, key: bytes)
        } catch {
            let shown = String(utf8: bytes)?.escapingControlCharacters ?? "that is not UTF-8"
            throw DataStoreError(
                .corrupted, "the entry \(shown) near the collection \(scan.collection) is corrupted",
                operation: "scan records", underlying: error)
        }
    }
}
