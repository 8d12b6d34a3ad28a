#if Sealing
import DataStoreCore
package import DataStoreQueries

extension SealedStore {
    /// Replaces the program's key. The data keys stay the same, so no value is sealed again, and running programs go
    /// on.
    ///
    /// - Parameter newKey: The new key, with another number than the old one.
    /// - Throws: `DataStoreError` if the old key is missing or wrong, or the new key has the same number.
    package func rekey(to newKey: SealingKey) async throws {
        let (stored, key) = try await storedKey()
        guard stored != nil else { throw SealedStore.neverSealed }
        try await base.write { [self] transaction in
            guard let stored = try current(stored, in: transaction.reading) else { throw SealedStore.neverSealed }
            try stored.rewrapped(from: key, to: newKey).put(in: &transaction)
        }
    }

    /// Renews the data key: makes a new one, seals each value anew, and removes the old ones. Other programs can use
    /// the store meanwhile. If the process ends, another call continues.
    ///
    /// A new blind key gives all searchable values other blinds. One transaction replaces them and their index entries,
    /// so that no program meets two blinds of equal values: a unique field stays unique, and each query finds all
    /// values.
    ///
    /// - Parameters:
    ///   - records: The store through which the records are written.
    ///   - renewsBlindKey: Whether the blind key is renewed, too.
    ///   - batchCount: The maximum number of records that one transaction seals anew.
    ///   - progress: A closure that receives the number of records that have been sealed anew so far.
    /// - Returns: The number of records that were sealed anew.
    /// - Throws: `DataStoreError` if the key is missing or wrong, or a value is damaged.
    @discardableResult
    package func reseal(
        through records: SchemaStore, renewsBlindKey: Bool = false, batchCount: Int = 500,
        progress: (Int) -> Void = { _ in }
    ) async throws -> Int {
        let (stored, key) = try await storedKey()
        guard let stored else { throw SealedStore.neverSealed }
        if renewsBlindKey {
            let count = try await renewBlindKey(stored, key, through: records, batchCount)
            progress(count)
            return count
        }
        if stored.keys.count == 1 {
            try await base.write { [self] transaction in
                guard let stored = try current(stored, in: transaction.reading) else { throw SealedStore.neverSealed }
                // Another process may have begun meanwhile.
                guard stored.keys.count == 1 else { return }
                try stored.addingDataKey(key).put(in: &transaction)
                try transaction.renewSealingEpoch()
            }
        }
        var count = 0
        for collection in try await base.read({ try $0.collections() }) {
            var last: String?
            repeat {
                try Task.checkCancellation()
                let batch = try await records.write { [self, last] transaction in
                    try resealBatch(of: collection, after: last, batchCount, key, in: &transaction)
                }
                count += batch.count
                if batch.count > 0 { progress(count) }
                last = batch.last
            } while last != nil
        }
        try await base.write { try SealedStore.removeOldKeys(in: &$0) }
        forgetKeys()
        return count
    }

    /// Renews the data key and the blind key in one transaction.
    private func renewBlindKey(
        _ stored: SealingEnvelope, _ key: SealingKey, through records: SchemaStore, _ batchCount: Int
    ) async throws -> Int {
        let count = try await records.write { [self] transaction in
            guard let stored = try current(stored, in: transaction.reading) else { throw SealedStore.neverSealed }
            try stored.addingDataKey(key, renewsBlindKey: true).put(in: &transaction)
            var count = 0
            for collection in try transaction.collections() {
                var last: String?
                repeat {
                    let batch = try resealBatch(of: collection, after: last, batchCount, key, in: &transaction)
                    count += batch.count
                    last = batch.last
                } while last != nil
            }
            try SealedStore.removeOldKeys(in: &transaction)
            return count
        }
        forgetKeys()
        return count
    }

    /// Seals the values of the next records of a collection anew.
    ///
    /// - Returns: The number of changed records, and the id of the last one that was read, or `nil` at the end.
    private func resealBatch(
        of collection: String, after last: String?, _ batchCount: Int, _ key: SealingKey,
        in transaction: inout WriteTransaction
    ) throws -> (count: Int, last: String?) {
        guard var stored = try SealingEnvelope(in: transaction.reading) else { throw SealedStore.neverSealed }
        let keyring = try stored.open(with: key)
        var entries: [Entry] = []
        var (next, readCount): (String?, Int) = (nil, 0)
        var valueCount: Int64 = 0
        try transaction.forEach(in: Scan(collection, ids: last.map { .after($0) } ?? .all)) { entry, record in
            var oldCount: Int64 = 0
            var record = record
            try record.replaceSealedValues { (sealed) throws(DataStoreError) in
                if sealed.keyNumber != keyring.currentNumber { oldCount += 1 }
                return nil
            }
            if oldCount > 0 { entries.append(Entry(key: entry, record: record)) }
            valueCount += oldCount
            readCount += 1
            // A batch is limited by the records that it reads, too, so that each transaction is short.
            guard entries.count < batchCount, readCount < 20 * batchCount else {
                next = entry.id
                return .stop
            }
            return .next
        }
        if entries.isEmpty { return (0, next) }
        guard keyring.allow(try stored.reserve(valueCount)) else { throw SealingNeed.keys.error }
        try stored.put(in: &transaction)
        var sealers: [ArraySlice<UInt8>: FieldSealer] = [:]
        for field in try SealedFields(in: transaction.reading).all.values {
            sealers[field.id[...]] = try keyring.sealer(for: field)
        }
        for entry in entries {
            var record = entry.record
            do throws(DataStoreError) {
                try record.replaceSealedValues { (sealed) throws(DataStoreError) in
                    guard sealed.keyNumber != keyring.currentNumber else { return nil }
                    // A value whose field is unknown keeps its blind.
                    if sealers[sealed.fieldID] == nil {
                        sealers[sealed.fieldID] = try FieldSealer(
                            fieldID: Array(sealed.fieldID), isSearchable: false, keyring)
                    }
                    return try sealers[sealed.fieldID]?.resealed(sealed, inRecord: entry.key.id)
                }
            } catch {
                throw error.adding(operation: "seal a record anew", key: entry.key)
            }
            try transaction.put(record, for: entry.key)
        }
        return (entries.count, next)
    }

    /// Removes the old data keys if no value needs them any more.
    private static func removeOldKeys(in transaction: inout WriteTransaction) throws {
        guard var stored = try SealingEnvelope(in: transaction.reading) else { throw SealedStore.neverSealed }
        guard let last = stored.keys.last?.number, stored.keys.count > 1 else { return }
        for collection in try transaction.collections() {
            try transaction.forEach(in: Scan(collection)) { entry, record in
                var record = record
                try record.replaceSealedValues { (sealed) throws(DataStoreError) in
                    guard sealed.keyNumber == last else {
                        throw DataStoreError(
                            .busy, "another program has restored an old value of \(entry); reseal again")
                    }
                    return nil
                }
                return .next
            }
        }
        stored.removeOldDataKeys()
        try stored.put(in: &transaction)
        try transaction.renewSealingEpoch()
    }

    /// Verifies that each sealed value of the store can be opened.
    ///
    /// - Returns: A description of each value that cannot be opened.
    package func verify() async throws -> [String] {
        let (stored, key) = try await storedKey()
        guard let stored else { return [] }
        let keyring = try stored.open(with: key)
        return try await base.read { transaction in
            let fields = try SealedFields(in: transaction)
            var findings: [String] = []
            for collection in try transaction.collections() {
                let sealers = try fields.fields(of: collection).map { field in
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
}
#endif
