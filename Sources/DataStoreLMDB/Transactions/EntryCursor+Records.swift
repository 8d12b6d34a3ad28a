import DataStoreCore
import RecordFraming

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
        try forEach(in: scan, using: decoder) { id, view throws(DataStoreError) in
            visit(try KeyBytes.stored(id, in: collection), view)
        }
    }

    /// Passes the records of a scan, with their ids as bytes, to `visit`, in the order of the scan.
    mutating func scanBytes(
        _ scan: borrowing Scan, using decoder: StoredRecord,
        _ visit: (Span<UInt8>, borrowing RecordView) -> Scan.Step
    ) throws(DataStoreError) {
        try forEach(in: scan, using: decoder, visit)
    }

    @inline(__always)
    private mutating func forEach(
        in scan: borrowing Scan, using decoder: StoredRecord,
        _ visit: (Span<UInt8>, borrowing RecordView) throws(DataStoreError) -> Scan.Step
    ) throws(DataStoreError) {
        var remaining = scan.limit ?? Int.max
        guard remaining > 0 else { return }
        // Constants, which each entry uses without accessing the scan.
        let (collection, nameCount) = (scan.collection, scan.collection.utf8.count)
        let (isReversed, limit) = (scan.isReversed, scan.isReversed ? scan.ids.lower : scan.ids.upper)
        func verify(_ key: Span<UInt8>, _ frame: Span<UInt8>) throws(DataStoreError) {
            try Self.verify(key, frame, beside: collection)
        }
        func visitEntry(_ key: Span<UInt8>, _ frame: Span<UInt8>) throws(DataStoreError) -> Scan.Step {
            guard Self.isKey(key, in: collection) else {
                try verify(key, frame)
                return .stop
            }
            let id = key.extracting(droppingFirst: nameCount + 1)
            // Compares bytes before a `Key` is created.
            if let limit, id.isOrdered(before: limit.span) == isReversed {
                try verify(key, frame)
                return .stop
            }
            let body: Range<Int>
            do {
                body = try RecordFrame.body(of: frame, key: key)
            } catch {
                throw error.adding(operation: "read a record", key: try KeyBytes.stored(id, in: collection))
            }
            return try decoder.withView(of: frame.extracting(body), id: id, visit)
        }
        var step: Scan.Step?
        if isReversed {
            // The keys of a collection begin with its name and a 0 byte. The name and a 1 byte are therefore after all
            // of them.
            let end = scan.ids.upper.map { KeyBytes.prefix(collection) + $0 } ?? Array(collection.utf8) + [1]
            step = try last(before: end.span, verify, visitEntry)
        } else {
            let lower = scan.ids.lower ?? []
            step = try KeyBytes.with(collection, lower.span) { bytes throws(DataStoreError) in
                try first(from: bytes, verify, visitEntry)
            }
        }
        while step == .next {
            remaining -= 1
            guard remaining > 0 else { return }
            step = try move(isReversed ? .previous : .next, visitEntry)
        }
    }

    /// Returns whether a key is in a collection.
    @inline(__always)
    private static func isKey(_ key: Span<UInt8>, in collection: String) -> Bool {
        let nameCount = collection.utf8.count
        return key.count > nameCount && key[nameCount] == 0 && key.extracting(first: nameCount).isText(collection)
    }

    /// Passes the record of a key to a closure, and returns whether the record exists. `decoder` provides the view.
    mutating func view(
        _ key: Key, using decoder: StoredRecord, _ body: (borrowing RecordView) -> Void
    ) throws(DataStoreError) -> Bool {
        let isFound = try KeyBytes.with(key) { bytes throws(DataStoreError) in
            try first(from: bytes) { found, frame throws(DataStoreError) in
                // The found key is not before the other one.
                guard !bytes.isOrdered(before: found) else { return false }
                _ = try decoder.withView(of: frame.extracting(RecordFrame.body(of: frame, key: found))) { view in
                    body(view)
                    return .stop
                }
                return true
            } ?? false
        }
        if !isFound { try verifyAbsence(of: key) }
        return isFound
    }

    /// Verifies the entries on both sides of a key that was not found.
    mutating func verifyAbsence(of key: Key) throws(DataStoreError) {
        func verify(_ found: Span<UInt8>, _ frame: Span<UInt8>) throws(DataStoreError) {
            try Self.verify(found, frame, beside: key.collection)
        }
        try KeyBytes.with(key) { bytes throws(DataStoreError) in
            _ = try first(from: bytes, verify) { found, frame throws(DataStoreError) in
                guard bytes.isOrdered(before: found) else { throw Self.outOfOrder }
                try verify(found, frame)
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
        return try first(from: start.span, { _, _ in }) { key, _ throws(DataStoreError) in
            try KeyBytes.key(of: key).collection
        }
    }

    /// Passes the first entry whose key is not before the given bytes to `body`, after passing the entry before it to
    /// `verify`.
    ///
    /// - Returns: The result of `body`, or `nil` if no such entry exists.
    /// - Throws: `DataStoreError` with the code `corrupted` if the keys are not in order, or if no entry is before the
    ///   given bytes. In an intact store, the record with the format version is before them.
    private mutating func first<Result>(
        from bytes: Span<UInt8>, _ verify: (Span<UInt8>, Span<UInt8>) throws(DataStoreError) -> Void,
        _ body: (Span<UInt8>, Span<UInt8>) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result? {
        let before: Void? = try last(before: bytes) { key, frame throws(DataStoreError) in
            guard key.isOrdered(before: bytes) else { throw Self.outOfOrder }
            try verify(key, frame)
        }
        guard before != nil else {
            // The record of the format is before all others.
            throw DataStoreError.damaged("the record of its format is missing").adding(operation: "scan records")
        }
        return try move(.next) { key, frame throws(DataStoreError) in
            guard !key.isOrdered(before: bytes) else { throw Self.outOfOrder }
            return try body(key, frame)
        }
    }

    /// Passes the last entry whose key is before the given bytes to `body`. If an entry follows it, passes that entry
    /// to `verify` first.
    ///
    /// - Returns: The result of `body`, or `nil` if no such entry exists.
    private mutating func last<Result>(
        before bytes: Span<UInt8>, _ verify: (Span<UInt8>, Span<UInt8>) throws(DataStoreError) -> Void,
        _ body: (Span<UInt8>, Span<UInt8>) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result? {
        let after: Void? = try first(from: bytes) { key, frame throws(DataStoreError) in
            guard !key.isOrdered(before: bytes) else { throw Self.outOfOrder }
            try verify(key, frame)
        }
        guard after != nil else { return try last(before: bytes, body) }
        return try move(.previous) { key, frame throws(DataStoreError) in
            guard key.isOrdered(before: bytes) else { throw Self.outOfOrder }
            return try body(key, frame)
        }
    }

    private static var outOfOrder: DataStoreError {
        DataStoreError.damaged("keys are not in order").adding(operation: "scan records")
    }

    /// Verifies the checksum of an entry beside the range of a scan. The checksum covers the key, too.
    ///
    /// An entry of another collection is verified only if a single changed byte in its key may have moved it out of the
    /// scanned collection.
    private static func verify(
        _ key: Span<UInt8>, _ frame: Span<UInt8>, beside collection: String
    ) throws(DataStoreError) {
        guard isInOrNear(key, collection) else { return }
        do throws(DataStoreError) {
            try RecordFrame.verify(frame, key: key)
        } catch {
            let text = String(utf8: key)?.escapingControlCharacters ?? "not UTF-8"
            throw DataStoreError(
                .corrupted, "an entry next to the scanned records is corrupted (key \(text))",
                operation: "scan records", underlying: error)
        }
    }

    /// Returns whether a key belongs to a collection, or would belong to it if one byte were different.
    private static func isInOrNear(_ key: Span<UInt8>, _ collection: String) -> Bool {
        let nameCount = collection.utf8.count
        guard key.count > nameCount else { return false }
        if isKey(key, in: collection) { return true }
        var changeCount = key[nameCount] == 0 ? 0 : 1
        var index = 0
        for byte in collection.utf8 {
            if key[index] != byte { changeCount += 1 }
            index += 1
        }
        return changeCount <= 1
    }
}
