import RecordFraming

/// The backend of the writes that share a transaction. Changes stay in an ``Overlay`` until the commit.
///
/// Every write reads the states of indexes. To avoid a request for each write, the backend predicts the states from
/// earlier transactions. The next statement that it sends also verifies the predictions.
final class Writer: WriteBackend {
    /// The maximum number of records that are verified by one statement.
    private static let maximumKeyCount = 1000
    /// The maximum size of the cache in bytes.
    private static let maximumCachedByteCount = 4 << 20

    private let server: ServerTransaction
    private let predictions: [Key: [UInt8]?]
    /// The keys of the predictions that the closures have used and that have not been verified yet.
    private var assumed: Set<Key> = []
    /// The collections of the records that the closures have read from the server.
    private var readCollections: Set<String> = []
    /// The frames that the server returned in this transaction, or `nil` for a missing key.
    private var cache: [Key: [UInt8]?] = [:]
    private var cachedByteCount = 0

    /// The changes of the transaction.
    var overlay = Overlay()

    /// Whether a prediction was wrong, so that the closures have to run again.
    private(set) var isMispredicted = false

    /// The failure of the server, or `nil` if no statement has failed.
    var failure: DataStoreError? { server.failure }

    /// Creates a writer of a transaction.
    ///
    /// - Parameters:
    ///   - server: The transaction on the server.
    ///   - predictions: The records that are expected to hold the states of the indexes, encoded as frames, by key.
    ///     They are known from the last transaction. `nil` means that no record with the key is expected.
    init(_ server: ServerTransaction, predictions: [Key: [UInt8]?]) {
        self.server = server
        self.predictions = predictions
    }

    // MARK: Reading

    func view(_ key: Key, _ body: (borrowing RecordView) -> Void) throws(DataStoreError) -> Bool {
        if let change = overlay.change(of: key) {
            guard let record = change else { return false }
            body(RecordView(record))
            return true
        }
        guard let frame = try frame(of: key) else { return false }
        try KeyBytes.with(key) { bytes throws(DataStoreError) in
            try server.stored.view(frame.span, of: bytes, body)
        }
        return true
    }

    func scan(_ scan: Scan, _ visit: (Key, borrowing RecordView) -> Scan.Step) throws(DataStoreError) {
        try forEach(in: scan, keysOnly: false, visit)
    }

    func collection(after name: String?) throws(DataStoreError) -> String? {
        var after = name
        // Collections whose records were all removed are skipped.
        while true {
            try verifyPredictions()
            let stored = try server.collection(after: after)
            var new = overlay.records.collection(after: after)
            while let name = new, name.utf8.first == 0 { new = overlay.records.collection(after: name) }
            guard let stored, new.map({ !$0.precedes(Array(stored.utf8)) }) ?? true else { return new }
            var isEmpty = true
            try forEach(in: Scan(stored: stored, limit: 1), keysOnly: true) { _, _ in
                isEmpty = false
                return .stop
            }
            if !isEmpty { return stored }
            after = stored
        }
    }

    // MARK: Changing

    func put(_ record: Record, for key: Key) throws(DataStoreError) {
        // Index entries are computed from their records, so a damaged entry may be overwritten. The other overwritten
        // records are verified before the commit.
        overlay.put(record, for: key, isVerified: key.isOfIndex)
    }

    func replace(
        _ record: borrowing RecordView, for key: Key?, _ entries: IndexEntryChanges
    ) throws(DataStoreError) {
        let record = try record.record()
        for entry in entries.keys(.removed) { overlay.remove(entry) }
        if let key { overlay.put(record, for: key, isVerified: true) }
        for entry in entries.keys(.storedWithRecord) { overlay.put(record, for: entry, isVerified: true) }
        for entry in entries.keys(.stored) { overlay.put(Record(), for: entry, isVerified: true) }
    }

    func remove(_ key: Key) throws(DataStoreError) -> Bool {
        let existed = if let change = overlay.change(of: key) { change != nil } else { try frame(of: key) != nil }
        if existed { overlay.remove(key) }
        return existed
    }

    func removeFirst(_ count: Int, of collection: String) throws(DataStoreError) -> Int {
        var keys: [Key] = []
        // Records are not read, so damaged ones are removed, too.
        try forEach(in: Scan(stored: collection, limit: count), keysOnly: true) { key, _ in
            keys.append(key)
            return .next
        }
        for key in keys { overlay.remove(key) }
        return keys.count
    }

    // MARK: The server

    /// Sends the changes, and verifies everything that the closures assumed: the predictions, and the checksums of the
    /// records that are replaced. Call it before the commit.
    ///
    /// - Parameters:
    ///   - slot: The row of the writer.
    ///   - token: The random token that is added to the row if the transaction has changes.
    /// - Throws: `DataStoreError` if a statement fails, a replaced record is damaged, or a prediction is wrong.
    ///   ``failure`` and ``isMispredicted`` then contain the reason.
    func sendChanges(_ slot: WriterSlot, _ token: [UInt8]) throws(DataStoreError) {
        var keys: [Key] = []
        try overlay.unverified.forEach { key, _ throws(DataStoreError) in
            // All statements see one snapshot, so a record that was read is still the same.
            if let known = cache[key] {
                if let known { try Self.verify(known.span, key.bytes.span) }
                return
            }
            keys.append(key)
            if keys.count == Writer.maximumKeyCount { try verify(fetch(exchange(&keys, with: []))) }
        }
        guard !overlay.isEmpty else { return try verifyPredictions() }
        // If the connection is lost during the commit, the outcome can be determined only if the transaction already
        // had a snapshot (see `WriterSlot`). A transaction that has not read therefore waits for an answer, even if it
        // has no key to verify.
        let waits = !keys.isEmpty || !assumed.isEmpty || !server.hasBegun
        if let found = try server.send(overlay, verifying: (keys + assumed).map(\.bytes), slot, token, waits: waits) {
            try verify(found)
        }
    }

    /// The predictions for the next transaction: the frames of index states by key, or `nil` for a missing record.
    /// States that this transaction has changed are left out. If more than 256 remain, the result is empty.
    var nextPredictions: [Key: [UInt8]?] {
        let next = predictions.merging(cache.filter { $0.key.isOfIndexCatalogue }) { $1 }
            .filter { overlay.change(of: $0.key) == nil }
        return next.count > 256 ? [:] : next
    }

    private func frame(of key: Key) throws(DataStoreError) -> [UInt8]? {
        if let known = cache[key] { return known }
        if key.isOfIndexCatalogue, let prediction = predictions[key] {
            assumed.insert(key)
            return prediction
        }
        // Most closures that read a record also write it, and then need the state of the indexes. If this request
        // verifies the state, the commit need not wait for another answer.
        if !predictions.isEmpty, readCollections.insert(key.collection).inserted {
            for state in [IndexState.catalogueKey(of: key.collection), IndexState.storeCatalogue]
            where cache[state] == nil && predictions[state] != nil {
                assumed.insert(state)
            }
        }
        var frames: [[UInt8]] = []
        // Of the fetched keys, only `key` has no prediction, so only its row is passed to the closure.
        try confirm(fetch([key])) { frames.append([UInt8]($1)) }
        guard frames.count < 2 else { throw ServerTransaction.duplicateError(key.bytes) }
        keep(frames.first, of: key)
        return frames.first
    }

    private func keep(_ frame: [UInt8]?, of key: Key) {
        cachedByteCount += key.collection.utf8.count + key.id.utf8.count + (frame?.count ?? 0)
        if cachedByteCount > Writer.maximumCachedByteCount { (cache, cachedByteCount) = ([:], 0) }
        cache[key] = .some(frame)
    }

    private func verifyPredictions() throws(DataStoreError) {
        if !assumed.isEmpty { try confirm(fetch([])) { _, _ in } }
    }

    /// Verifies the checksums of records that will be overwritten, and the predictions.
    private func verify(_ result: QueryResult) throws(DataStoreError) {
        try confirm(result) { key, frame throws(DataStoreError) in try Self.verify(frame, key) }
    }

    private static func verify(_ frame: Span<UInt8>, _ key: Span<UInt8>) throws(DataStoreError) {
        do throws(DataStoreError) {
            try RecordFrame.verify(frame, key: key)
        } catch {
            throw error.adding(operation: "read a record", key: try KeyBytes.key(of: key))
        }
    }

    /// The error for the closure that runs when a prediction turns out to be wrong.
    static let mispredictionError = DataStoreError(.busy, "the closures of the transaction have to run again")

    /// Fetches the frames of the given keys and of the keys in ``assumed``, in one statement. The caller passes the
    /// result to ``confirm(_:_:)``.
    private func fetch(_ keys: [Key]) throws(DataStoreError) -> QueryResult {
        try server.query(.getAll, [.array((keys + assumed).map(\.bytes))])
    }

    /// Compares the predictions in ``assumed`` with the rows of a result, and passes all other rows to a closure.
    private func confirm(
        _ result: QueryResult, _ body: (Span<UInt8>, Span<UInt8>) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        var unconfirmed = assumed
        func check(_ key: Key, has frame: [UInt8]?) throws(DataStoreError) {
            guard predictions[key] == .some(frame) else {
                isMispredicted = true
                throw Self.mispredictionError
            }
            keep(frame, of: key)
        }
        for row in 0..<result.count {
            try result.with(row, 0) { bytes throws(DataStoreError) in
                // The keys of predictions belong to the library, so they begin with a NUL.
                if !unconfirmed.isEmpty, !bytes.isEmpty, bytes[0] == 0 {
                    let key = try KeyBytes.key(of: bytes)
                    if unconfirmed.remove(key) != nil { return try check(key, has: result.bytes(row, 1)) }
                }
                try result.with(row, 1) { frame throws(DataStoreError) in try body(bytes, frame) }
            }
        }
        for key in unconfirmed { try check(key, has: nil) }
        assumed = []
    }

    /// Passes the records of a scan to a closure: the changes in the overlay, and the unchanged records on the server.
    /// If `keysOnly` is `true`, the records are empty.
    private func forEach(
        in scan: Scan, keysOnly: Bool, _ visit: (Key, borrowing RecordView) -> Scan.Step
    ) throws(DataStoreError) {
        var remaining = scan.limit ?? Int.max
        guard remaining > 0 else { return }
        try verifyPredictions()
        let (changed, removed, rows) = (
            overlay.records, overlay.removed, ServerScan(scan, in: server, keysOnly: keysOnly)
        )
        /// The ids of the changed records that have not been visited yet.
        var ids = scan.ids
        var isOver = false
        func visitChanges(in ids: IDRange) {
            let changes = Scan(stored: scan.collection, ids: ids, isReversed: scan.isReversed)
            changed.scan(changes) { key, record in
                remaining -= 1
                isOver = visit(key, RecordView(keysOnly ? Record() : record)) == .stop || remaining == 0
                return isOver ? .stop : .next
            }
        }
        while let page = try rows.next() {
            let key = try rows.key(in: page)
            if changed.count > 0 {
                visitChanges(in: scan.isReversed ? ids.from(key.id) : ids.through(key.id))
                if isOver { return }
                ids = scan.isReversed ? ids.before(key.id) : ids.after(key.id)
                if changed.record(for: key) != nil { continue }
            }
            if removed.count > 0, removed.record(for: key) != nil { continue }
            let step =
                try keysOnly
                ? visit(key, RecordView(Record()))
                : rows.view(in: page) { _, view throws(DataStoreError) in visit(key, view) }
            remaining -= 1
            if step == .stop || remaining == 0 { return }
        }
        visitChanges(in: ids)
    }
}
