import DataStoreCore

/// What is in a collection, in a number: to compare what was written with what is read back, within one process.
struct CollectionDigest: Hashable, Sendable {
    private(set) var recordCount = 0
    private var value = 0

    /// Takes the next record, in the order of the ids.
    mutating func add(_ key: Key, _ record: Record) {
        var hasher = Hasher()
        hasher.combine(value)
        hasher.combine(key)
        hasher.combine(record)
        value = hasher.finalize()
        recordCount += 1
    }
}

/// What is in a store, by the collections.
typealias StoreDigest = [String: CollectionDigest]

extension RecordReading where Self: ~Copyable {
    /// Reads everything, and shows it where that is asked for.
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
