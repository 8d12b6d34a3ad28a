#if Sealing

extension SchemaStore {
    /// Replaces the program's key by another one. No value is sealed again, and running programs go on.
    ///
    /// Give all programs both keys first, e.g. as two lines of a key file. Remove the old one afterwards, and restored
    /// backups need it again.
    ///
    /// - Parameters:
    ///   - source: The source of the old key.
    ///   - newKey: The new key, with another number than the old one.
    /// - Throws: `DataStoreError` if the old key is missing or wrong, or the new key has the same number. Nothing is
    ///   changed then.
    public func rekey(from source: SealingKeySource, to newKey: SealingKey) async throws {
        let key = try await sealingKey(from: source)
        try await write { transaction in
            let stored = try SealingEnvelope(in: transaction.reading, for: key)
            try stored.rewrapped(from: key, to: newKey).put(in: &transaction)
        }
    }

    /// Renews the data key of the store: makes a new one, seals each value anew, and removes the old one. It is the
    /// answer to a leaked key, after `rekey(from:to:)`. Free pages and backups still contain the old key.
    ///
    /// Other programs can use the store meanwhile. If the process ends, another call continues.
    ///
    /// Guesses of searchable values can be tried with the blind key. If the old key has leaked together with the store,
    /// renew the blind key, too: in one transaction, for which the writes of other programs wait. So no program meets
    /// two blinds of equal values: a unique field stays unique, and each query finds all values.
    ///
    /// - Parameters:
    ///   - source: The source of the program's key.
    ///   - renewsBlindKey: Whether the blind key is renewed with the index entries of all searchable fields.
    ///   - batchCount: The maximum number of records that one transaction seals anew.
    ///   - progress: A closure that receives the number of records that have been sealed anew so far.
    /// - Returns: The number of records that were sealed anew.
    /// - Throws: `DataStoreError` if the key is missing or wrong, or a value is damaged. `CancellationError` if the
    ///   task is cancelled.
    @discardableResult
    public func reseal(
        with source: SealingKeySource, renewingBlindKey renewsBlindKey: Bool = false, batchCount: Int = 500,
        progress: (_ count: Int) -> Void = { _ in }
    ) async throws -> Int {
        var resealing = Resealing(
            key: try await sealingKey(from: source), renewsBlindKey: renewsBlindKey, batchCount: batchCount)
        repeat {
            try Task.checkCancellation()
            let earlierCount = resealing.count
            resealing = try await write { [resealing] transaction in
                var steps = resealing
                repeat { try steps.next(in: &transaction) } while renewsBlindKey && !steps.isDone
                return steps
            }
            if resealing.count > earlierCount { progress(resealing.count) }
        } while !resealing.isDone
        return resealing.count
    }

    /// Verifies that each sealed value of the store can be opened.
    ///
    /// - Parameter source: The source of the program's key.
    /// - Returns: A description of each value that cannot be opened.
    /// - Throws: `DataStoreError` if the key is missing or wrong, or the store cannot be read.
    public func verifySealedFields(with source: SealingKeySource) async throws -> [String] {
        let key = try await sealingKey(from: source)
        return try await read { transaction in
            guard let stored = try SealingEnvelope.stored(in: transaction, for: key) else { return [] }
            let keyring = try stored.open(with: key)
            let sealed = try transaction.rules().sealed.sorted { $0.key < $1.key }
            var findings: [String] = []
            for collection in try transaction.collections() {
                let sealers = try sealed.filter { $0.key.collection.hasSameBytes(as: collection) }.map { _, field in
                    (field.definition.field, try keyring.sealer(for: field))
                }
                try transaction.forEach(in: Scan(collection)) { key, record in
                    for (field, sealer) in sealers {
                        guard case .sealed(let bytes)? = record.value(at: field) else { continue }
                        do throws(DataStoreError) {
                            _ = try sealer.open(bytes, inRecord: key.id)
                        } catch {
                            findings.append("\(key): the field \(field.path): \(error.reason)")
                        }
                    }
                    return .next
                }
            }
            return findings
        }
    }

    /// Returns the key of the program that opens the keys of the store. A store without keys accepts any key.
    func sealingKey(from source: SealingKeySource) async throws -> SealingKey {
        let stored = try await read { try SealingEnvelope.stored(in: $0) }
        let key = try await source.key(for: stored?.request ?? SealingKeyRequest())
        _ = try stored?.open(with: key)
        return key
    }
}

/// The steps of sealing all values of a store with a new data key.
private struct Resealing: Sendable {
    /// The key of the program.
    let key: SealingKey
    let renewsBlindKey: Bool
    let batchCount: Int

    /// The collections that have not been sealed anew yet, or `nil` before the first step.
    var collections: ArraySlice<String>?
    /// The id of the last record of the first one that has been sealed anew.
    var lastID: String?
    /// The number of records that have been sealed anew.
    var count = 0
    var isDone = false

    /// Takes the next step.
    mutating func next(in transaction: inout WriteTransaction) throws {
        guard let collections else {
            try begin(in: &transaction)
            self.collections = try transaction.collections()[...]
            return
        }
        if let collection = collections.first {
            try sealBatch(of: collection, in: &transaction)
        } else {
            try end(in: &transaction)
            isDone = true
        }
    }

    /// Makes a new data key, unless another process has begun and the blind key is not renewed.
    private func begin(in transaction: inout WriteTransaction) throws {
        let stored = try SealingEnvelope(in: transaction.reading, for: key)
        guard renewsBlindKey || stored.keys.count == 1 else { return }
        try stored.addingDataKey(key, renewsBlindKey: renewsBlindKey).put(in: &transaction)
        try transaction.renewSealing()
    }

    /// Seals the values of the next records of a collection anew.
    private mutating func sealBatch(of collection: String, in transaction: inout WriteTransaction) throws {
        var stored = try SealingEnvelope(in: transaction.reading, for: key)
        let keyring = try stored.open(with: key)
        var sealers: [ArraySlice<UInt8>: FieldSealer] = [:]
        for field in try transaction.reading.rules().sealed.values {
            sealers[field.id[...]] = try keyring.sealer(for: field)
        }
        var entries: [Entry] = []
        var (readCount, valueCount): (Int, Int64) = (0, 0)
        var end: String?
        try transaction.forEach(in: Scan(collection, ids: lastID.map { .after($0) } ?? .all)) { key, record in
            let earlierCount = valueCount
            do throws(DataStoreError) {
                let record = try record.replacingSealedValues { (sealed) throws(DataStoreError) in
                    guard sealed.keyNumber != keyring.currentNumber else { return sealed.bytes }
                    valueCount += 1
                    // A value whose field is unknown keeps its blind.
                    if sealers[sealed.fieldID] == nil {
                        let id = Array(sealed.fieldID)
                        sealers[id[...]] = try FieldSealer(fieldID: id, isSearchable: false, keyring)
                    }
                    return try sealers[sealed.fieldID]?.resealed(sealed, inRecord: key.id) ?? sealed.bytes
                }
                if valueCount > earlierCount { entries.append(Entry(key: key, record: record)) }
            } catch {
                throw error.adding(operation: "seal a record anew", key: key)
            }
            readCount += 1
            // A batch is limited by the records that it reads, too, so that each transaction is short.
            if entries.count < batchCount, readCount < 20 * batchCount { return .next }
            end = key.id
            return .stop
        }
        lastID = end
        if end == nil { collections?.removeFirst() }
        if entries.isEmpty { return }
        try stored.reserve(valueCount)
        try stored.put(in: &transaction)
        for entry in entries { try transaction.put(entry.record, for: entry.key) }
        count += entries.count
    }

    /// Removes the old data keys if no value needs them any more.
    private func end(in transaction: inout WriteTransaction) throws {
        var stored = try SealingEnvelope(in: transaction.reading)
        guard let last = stored.keys.last?.number, stored.keys.count > 1 else { return }
        for collection in try transaction.collections() {
            try transaction.forEach(in: Scan(collection)) { key, record in
                _ = try record.replacingSealedValues { (sealed) throws(DataStoreError) in
                    guard sealed.keyNumber == last else {
                        throw DataStoreError(
                            .busy, "another program has restored an old value of \(key); reseal again")
                    }
                    return sealed.bytes
                }
                return .next
            }
        }
        stored.removeOldDataKeys()
        try stored.put(in: &transaction)
        try transaction.renewSealing()
    }
}
#endif
