import RecordFraming

extension Key {
    /// The bytes of the key in the table.
    var bytes: [UInt8] { KeyBytes.with(self) { [UInt8]($0) } }
}

extension Connection {
    private static let maximumByteCount = 8 << 20

    /// Queues the changes of a transaction, in the order of the keys, so that concurrent transactions rarely deadlock.
    /// The caller requests the answers.
    ///
    /// The first statement also increments the generation in the writer's row, adds `token` to the row, and returns the
    /// previous records of `verifiedKeys`. Separate statements would take the server longer. `didSend` is called after
    /// the server has accepted a part of many changes.
    func send(
        _ overlay: Overlay, verifying verifiedKeys: [[UInt8]], _ slot: WriterSlot, _ token: [UInt8],
        didSend: () -> Void
    ) throws(DataStoreError) {
        var (keys, frames): ([[UInt8]], [[UInt8]]) = ([], [])
        var (byteCount, isFirst) = (0, true)
        func sendRecords() throws(DataStoreError) {
            guard isFirst || !keys.isEmpty else { return }
            // Most transactions change one record, and the server needs less time if its key and frame are no arrays.
            let isSingle = isFirst && keys.count == 1
            var parameters = isSingle ? keys + frames : [.array(keys), .array(frames)]
            if isFirst { parameters += [.array(verifiedKeys), .bigint(slot.number), token] }
            try send(isSingle ? .changeOne : isFirst ? .change : .put, parameters)
            (keys, frames, byteCount, isFirst) = ([], [], 0, false)
        }
        func sendRemoved() throws(DataStoreError) {
            if !keys.isEmpty { try send(.remove, [.array(keys)]) }
            keys = []
        }
        /// Sends a part of many changes, and waits until the server has accepted it.
        func flushIfLarge(_ sendPart: () throws(DataStoreError) -> Void) throws(DataStoreError) {
            guard byteCount > Connection.maximumByteCount || keys.count >= 10_000 else { return }
            try sendPart()
            try flushAll()
            didSend()
        }
        try overlay.records.forEach { key, record throws(DataStoreError) in
            let bytes = key.bytes
            let frame = RecordFrame.with(record, key: bytes.span) { [UInt8]($0) }
            keys.append(bytes)
            frames.append(frame)
            byteCount += frame.count
            try flushIfLarge(sendRecords)
        }
        try sendRecords()
        try overlay.removed.forEach { key, _ throws(DataStoreError) in
            keys.append(key.bytes)
            try flushIfLarge(sendRemoved)
        }
        try sendRemoved()
    }
}

/// The row of a writer in the table `writers`. Each transaction adds a random token to the row, so the row shows which
/// of the last transactions were committed.
///
/// If the connection is lost during a commit, the writer updates the row through a new connection. If the lost
/// transaction has already changed the row, the update waits until that transaction ends. Otherwise the lost
/// transaction fails when it changes the row, because its snapshot is older than the update. ``isCommitted(_:in:)``
/// then determines the outcome.
struct WriterSlot {
    /// The number of rows in the table `writers` of a new store. Each active writer needs its own row, because writers
    /// that share a row conflict. If more stores write at once, they add rows.
    static let count = 64
    static let tokenByteCount = 16
    /// The number of tokens in a row. It is more than one, because another writer can acquire the row and commit
    /// before this writer looks for its token.
    static let tokenCount = 8

    /// The number of the row.
    let number: Int
    /// The newest token when the writer last read or changed the row, or `nil` if the row had no token.
    var newestToken: [UInt8]?

    /// Returns a random token.
    static func makeToken() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        // Each call of `next` is a system call, so a token consists of few numbers.
        let numbers = (0..<tokenByteCount / 8).map { _ in generator.next() }
        return (0..<tokenByteCount).map { UInt8(truncatingIfNeeded: numbers[$0 / 8] >> UInt64($0 % 8 * 8)) }
    }

    /// Returns the tokens of a row, the newest one first.
    static func tokens(_ bytes: [UInt8]) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: tokenByteCount).map { Array(bytes[$0...].prefix(tokenByteCount)) }
    }

    /// Returns whether the transaction with a token was committed.
    ///
    /// - Parameters:
    ///   - token: The token of the transaction that followed ``newestToken``.
    ///   - tokens: The current tokens of the row.
    /// - Returns: `nil` if the row is full and does not contain ``newestToken`` either. Other writers have then
    ///   replaced the tokens, or the row belongs to a standby server that lacks the last transactions.
    func isCommitted(_ token: [UInt8], in tokens: [[UInt8]]) -> Bool? {
        if tokens.contains(token) { return true }
        let isComplete = tokens.count < Self.tokenCount || newestToken.map(tokens.contains) == true
        return isComplete ? false : nil
    }
}
