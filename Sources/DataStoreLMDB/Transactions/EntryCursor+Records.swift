import DataStoreCore
import RecordFraming

/// These functions read records with the cursors of liblmdb and with verifying cursors.
///
/// They verify the entries beside those that they return. Otherwise a damaged key, or a branch page that refers to a
/// wrong leaf page, would hide records without an error.
extension EntryCursor where Self: ~Copyable {
    /// Passes the records of a scan to `visit`, in the order of the scan. `decoder` creates the views of the records.
    mutating func scan(
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
    mutating func scanBytes(
        _ scan: borrowing Scan, using decoder: StoredRecord,
        _ visit: (Span<UInt8>, borrowing RecordView) -> Scan.Step
    ) throws(DataStoreError) {
        var remaining = scan.limit ?? Int.max
        guard remaining > 0 else { return }
        func visitEntry(_ key: Span<UInt8>, _ frame: Span<UInt8>) -> Result<Scan.Step, DataStoreError> {
            Result { () throws(DataStoreError) in try Self.visitEntry(key, frame, using: decoder, scan, visit) }
        }
        func verify(_ key: Span<UInt8>, _ frame: Span<UInt8>) -> Result<Void, DataStoreError> {
            Self.verify(key, frame, beside: scan.collection)
        }
        var step: Scan.Step?
        if scan.isReversed {
            // The keys of a collection begin with its name and a 0 byte. The name and a 1 byte therefore come after all
            // of them.
            let end = scan.ids.upper.map { KeyBytes.prefix(scan.collection) + $0 } ?? Array(scan.collection.utf8) + [1]
            step = try last(before: end.span, verify, visitEntry)
        } else {
            step = try KeyBytes.with(scan.collection, scan.ids.lower ?? []) { bytes throws(DataStoreError) in
                try first(from: bytes, verify, visitEntry)
            }
        }
        while let shown = step {
            remaining -= 1
            guard shown == .next, remaining > 0 else { return }
            step = try move(scan.isReversed ? .previous : .next, visitEntry)?.get()
        }
    }

    /// Passes the record of a key to a closure, and returns whether the record exists. `decoder` creates the view of
    /// the record.
    mutating func view(
        _ key: Key, using decoder: StoredRecord, _ body: (borrowing RecordView) -> Void
    ) throws(DataStoreError) -> Bool {
        let isFound = try KeyBytes.with(key) { bytes throws(DataStoreError) in
            try first(from: bytes) { found, frame in
                Result { () throws(DataStoreError) in
                    // The found key is not before the requested key.
                    guard !bytes.isOrdered(before: found) else { return false }
                    let record = frame.extracting(try RecordFrame.body(of: frame, key: found))
                    _ = decoder.withView(of: record) { view in
                        body(view)
                        return .stop
                    }
                    return true
                }
            }?.get() ?? false
        }
        if !isFound { try verifyAbsence(of: key) }
        return isFound
    }

    /// Verifies the entries on both sides of a key that was not found.
    mutating func verifyAbsence(of key: Key) throws(DataStoreError) {
        func verify(_ found: Span<UInt8>, _ frame: Span<UInt8>) -> Result<Void, DataStoreError> {
            Self.verify(found, frame, beside: key.collection)
        }
        try KeyBytes.with(key) { bytes throws(DataStoreError) in
            _ = try first(from: bytes, verify) { found, frame in
                bytes.isOrdered(before: found) ? verify(found, frame) : .failure(Self.outOfOrder)
            }
        }
    }

    /// Returns the name of the first collection after a name, or of the first collection for `nil`. Keys that begin
    /// with a NUL belong to the store and are skipped.
    mutating func collection(after name: String?) throws(DataStoreError) -> String? {
        let start: [UInt8] = name.map { Array($0.utf8) + [1] } ?? [1]
        return try first(from: start.span, { _, _ in .success(()) }) { key, _ in
            Result { () throws(DataStoreError) in try KeyBytes.key(of: key).collection }
        }
    }

    /// Passes the first entry whose key is not before the given bytes to `body`, after passing the entry before it to
    /// `verify`.
    private mutating func first<Success>(
        from bytes: Span<UInt8>, _ verify: (Span<UInt8>, Span<UInt8>) -> Result<Void, DataStoreError>,
        _ body: (Span<UInt8>, Span<UInt8>) -> Result<Success, DataStoreError>
    ) throws(DataStoreError) -> Success? {
        let before = try last(before: bytes) { key, frame in
            key.isOrdered(before: bytes) ? verify(key, frame) : .failure(Self.outOfOrder)
        }
        guard let before else {
            // The record with the format version comes before all others.
            throw DataStoreError.damaged("the record of its format is missing").adding(operation: "scan records")
        }
        try before.get()
        return try move(.next) { key, frame in
            key.isOrdered(before: bytes) ? .failure(Self.outOfOrder) : body(key, frame)
        }?.get()
    }

    /// Passes the last entry whose key is before the given bytes to `body`, after passing the entry after it to
    /// `verify`.
    private mutating func last<Success>(
        before bytes: Span<UInt8>, _ verify: (Span<UInt8>, Span<UInt8>) -> Result<Void, DataStoreError>,
        _ body: (Span<UInt8>, Span<UInt8>) -> Result<Success, DataStoreError>
    ) throws(DataStoreError) -> Success? {
        let after = try first(from: bytes) { key, frame in
            key.isOrdered(before: bytes) ? .failure(Self.outOfOrder) : verify(key, frame)
        }
        guard let after else { return try last(before: bytes, body)?.get() }
        try after.get()
        return try move(.previous) { key, frame in
            key.isOrdered(before: bytes) ? body(key, frame) : .failure(Self.outOfOrder)
        }?.get()
    }

    private static var outOfOrder: DataStoreError {
        DataStoreError.damaged("keys are not in order").adding(operation: "scan records")
    }

    /// Passes an entry to `visit` and returns the result. Returns `stop` if the entry is past the end of the scanned
    /// range.
    private static func visitEntry(
        _ bytes: Span<UInt8>, _ frame: Span<UInt8>, using decoder: StoredRecord, _ scan: borrowing Scan,
        _ visit: (Span<UInt8>, borrowing RecordView) -> Scan.Step
    ) throws(DataStoreError) -> Scan.Step {
        let nameCount = scan.collection.utf8.count
        guard bytes.count > nameCount, bytes[nameCount] == 0, bytes.extracting(first: nameCount).isText(scan.collection)
        else {
            try verify(bytes, frame, beside: scan.collection).get()
            return .stop
        }
        let id = bytes.extracting(droppingFirst: nameCount + 1)
        // The bytes are compared before a key is created.
        let isBeyond =
            scan.isReversed
            ? scan.ids.lower.map { id.isOrdered(before: $0.span) } ?? false
            : scan.ids.upper.map { !id.isOrdered(before: $0.span) } ?? false
        if isBeyond {
            try verify(bytes, frame, beside: scan.collection).get()
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

    /// Verifies the checksum of an entry beside a range of a collection. The checksum covers the key, too.
    ///
    /// Entries of other collections may be damaged, unless a single changed byte can have moved them there.
    private static func verify(
        _ key: Span<UInt8>, _ frame: Span<UInt8>, beside collection: String
    ) -> Result<Void, DataStoreError> {
        guard isInOrNear(key, collection) else { return .success(()) }
        do throws(DataStoreError) {
            return .success(try RecordFrame.verify(frame, key: key))
        } catch {
            let shown = String(utf8: key)?.escapingControlCharacters ?? "that is not UTF-8"
            return .failure(
                DataStoreError(
                    .corrupted, "the entry \(shown) beside the range is corrupted",
                    operation: "scan records", underlying: error))
        }
    }

    /// Returns whether a key belongs to a collection, or would belong to it if one byte were different.
    private static func isInOrNear(_ key: Span<UInt8>, _ collection: String) -> Bool {
        let nameCount = collection.utf8.count
        guard key.count > nameCount else { return false }
        if key[nameCount] == 0, key.extracting(first: nameCount).isText(collection) { return true }
        var changeCount = key[nameCount] == 0 ? 0 : 1
        var index = 0
        for byte in collection.utf8 {
            if key[index] != byte { changeCount += 1 }
            index += 1
        }
        return changeCount <= 1
    }
}
