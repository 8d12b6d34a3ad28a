import DataStoreCore
import RecordFraming

extension Connection {
    private static let maximumByteCount = 8 << 20

    /// Queues the changes of a transaction, in the order of the keys, so that concurrent transactions rarely deadlock.
    /// The caller requests the answers.
    ///
    /// The first statement also increments the generation in the writer's row, adds `token` to the row, and returns the
    /// previous records of `verifiedKeys`. Separate statements would take the server longer. `didSend` is called after
    /// the server has accepted a part of many changes.
    func send(
        _ overlay: Overlay, verifying verifiedKeys: ByteaArray, _ slot: WriterSlot, _ token: [UInt8],
        didSend: () -> Void
    ) throws(PostgresError) {
        var (keys, frames) = (ByteaArray(), ByteaArray())
        var isFirst = true
        func sendRecords() throws(PostgresError) {
            guard isFirst || keys.count > 0 else { return }
            // Most transactions change one record, and the server needs less time if its key and frame are no arrays.
            let isSingle = isFirst && keys.count == 1
            var parameters = Parameters()
            if isSingle {
                parameters.append(keys.single)
                parameters.append(frames.single)
            } else {
                parameters.append(keys)
                parameters.append(frames)
            }
            if isFirst {
                parameters.append(verifiedKeys)
                parameters.append(slot.number)
                parameters.append(token)
            }
            try send(isSingle ? .changeOne : isFirst ? .change : .put, parameters)
            (keys, frames, isFirst) = (ByteaArray(), ByteaArray(), false)
        }
        func sendRemoved() throws(PostgresError) {
            if keys.count > 0 { try send(.remove, Parameters(keys)) }
            keys = ByteaArray()
        }
        /// Sends a part of many changes, and waits until the server has accepted it.
        func flushIfLarge(_ sendPart: () throws(PostgresError) -> Void) throws(PostgresError) {
            guard frames.byteCount > Connection.maximumByteCount || keys.count >= 10_000 else { return }
            try sendPart()
            try flushAll()
            didSend()
        }
        try overlay.records.forEach { key, record throws(PostgresError) in
            KeyBytes.with(key) { bytes in
                keys.append(bytes)
                RecordFrame.with(record, key: bytes) { frames.append($0) }
            }
            try flushIfLarge(sendRecords)
        }
        try sendRecords()
        try overlay.removed.forEach { key, _ throws(PostgresError) in
            KeyBytes.with(key) { keys.append($0) }
            try flushIfLarge(sendRemoved)
        }
        try sendRemoved()
    }
}
