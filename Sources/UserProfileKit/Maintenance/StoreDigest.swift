import DataStoreCore

/// A digest of the records of a collection, to compare the records written with those read back within one process.
struct CollectionDigest: Hashable, Sendable {
    private(set) var recordCount = 0
    private var value = 0

    /// Adds the next record, in the order of the ids.
    mutating func add(_ key: Key, _ record: Record) {
        var hasher = Hasher()
        hasher.combine(value)
        hasher.combine(key)
        hasher.combine(record)
        value = hasher.finalize()
        recordCount += 1
    }
}

/// The digests of the collections of a store, by their names.
typealias StoreDigest = [String: CollectionDigest]

extension RecordReading where Self: ~Copyable {
    /// Returns the digest of all records, and passes each record to a closure.
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
