import DataStoreCore

/// A digest of the records of a collection. After a copy operation, the library compares the digest of the written
/// records with the digest of the records that it reads back.
///
/// Compare only digests that the same process computed, because the hash function is seeded for each process.
struct CollectionDigest: Hashable, Sendable {
    private(set) var recordCount = 0
    private var value = 0

    /// Adds the next record to the digest. Add records in the order of their ids.
    mutating func add(_ key: Key, _ record: Record) {
        var hasher = Hasher()
        hasher.combine(value)
        hasher.combine(key)
        hasher.combine(record)
        value = hasher.finalize()
        recordCount += 1
    }
}

/// The digest of each collection of a store, by the name of the collection.
typealias StoreDigest = [String: CollectionDigest]

extension RecordReading where Self: ~Copyable {
    /// Returns the digest of each collection, and passes each record to `visit`.
    func digest(_ visit: (Key, Record) throws -> Void = { _, _ in }) throws -> StoreDigest {
        var digest = StoreDigest()
        for name in try collections() {
            var collection = CollectionDigest()
            try forEach(in: Scan(name)) { key, record in
                try visit(key, record)
                collection.add(key, record)
                return .next
            }
            digest[name] = collection
        }
        return digest
    }
}
