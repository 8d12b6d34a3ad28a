import DataStoreSystem

extension StorageLocation {
    /// Copies one snapshot of all records and index definitions to another store. The copy includes the collections of
    /// all programs that use the store.
    ///
    /// The copy is one transaction of the target. Readers see all copied records or none, and a failure or `kill -9`
    /// leaves the target unchanged. Before the commit, the function reads the copied records back and compares them
    /// with the original records.
    ///
    /// The transaction includes the index definitions, so unique indexes reject duplicates from the commit on. The
    /// entries of the indexes are built after the commit, in steps. If the build fails, the copy is still complete, and
    /// queries read all records until a program builds the indexes.
    ///
    /// LMDB environments, property lists and PostgreSQL databases are copied record by record. The records of any other
    /// kind of store are first read into memory.
    ///
    /// - Parameters:
    ///   - target: The location of the other store.
    ///   - replacing: Whether the copy replaces the records and indexes of the target. If `false`, the target must have
    ///     no records, and its unique indexes stay in force.
    ///   - progress: A closure that receives the number of records copied so far. It is called after every 1,000
    ///     records, on any thread.
    /// - Returns: The number of copied records.
    /// - Throws: `DataStoreError` if no store exists at this location, if the target is the same store, or if the
    ///   records of either store do not outlive the process, or if `replacing` is `false` and
    ///   the target contains records. `DataStoreError` if a store fails. `CancellationError` if the task is cancelled.
    ///   A failed copy changes nothing.
    @discardableResult
    public func copy(
        to target: StorageLocation, replacing: Bool = false, progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws -> Int {
        try target.requirePersistence()
        try await requireStore()
        try requireOther(target)
        let cancellation = Cancellation()
        let written = try await withTaskCancellationHandler {
            try await withStore { source in
                let source = try await source.immediate(cancellation.check)
                return try await target.withStore { store in
                    try await SchemaStore(store).write { transaction in
                        try Self.copy(source, to: &transaction, target, replacing: replacing) { count in
                            if count.isMultiple(of: 1000) {
                                try cancellation.check()
                                progress(count)
                            }
                        }
                    }
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
        await target.buildIndexes()
        return written.values.reduce(0) { $0 + $1.recordCount }
    }

    /// Builds the indexes of a complete copy if the store stores them.
    ///
    /// Errors are ignored, because queries read all records until a program builds the indexes.
    func buildIndexes() async {
        if kind.storesIndexes { _ = try? await withStore { try await SchemaStore($0).buildIndexes() } }
    }

    /// Copies all records and index definitions of a store in a transaction of the target. The target may run the
    /// transaction more than once, so each call starts from the beginning.
    private static func copy(
        _ source: any ImmediateDataStore, to transaction: inout WriteTransaction, _ target: StorageLocation,
        replacing: Bool, _ progress: (Int) throws -> Void
    ) throws -> StoreDigest {
        let names = try transaction.collections()
        guard names.isEmpty || replacing else {
            throw DataStoreError(
                .notAStore,
                "it already has records (\(names.joined(separator: ", "))); replace them or choose another target",
                operation: "copy to the store", path: target.description)
        }
        // Removing records is faster without indexes.
        if replacing { try transaction.removeAllIndexes() }
        var count = 0
        let digest = try source.read { snapshot in
            // A store on a read-only file system may run the closure again, with a newer snapshot.
            for name in try transaction.collections() { try transaction.removeAll(in: Scan(name)) }
            count = 0
            let digest = try snapshot.digest { key, record in
                try transaction.put(record, for: key)
                count += 1
                try progress(count)
            }
            try transaction.declareIndexes(snapshot.indexCatalogues(), snapshot.rules())
            return digest
        }
        try target.compare(try transaction.digest(), with: digest)
        return digest
    }

    private func compare(_ found: StoreDigest, with written: StoreDigest) throws(DataStoreError) {
        let names = Set(found.keys).union(written.keys).filter { found[$0] != written[$0] }.sorted()
        guard let name = names.first else { return }
        throw DataStoreError(
            .inputOutput,
            "the collection \(name) differs: \(written[name]?.recordCount ?? 0) records were written and "
                + "\(found[name]?.recordCount ?? 0) were read back; check the disk and copy again",
            operation: "verify the copy", path: description)
    }
}

extension DataStore {
    /// Returns the store itself if synchronous code can read it. Otherwise copies one snapshot of all records and index
    /// definitions to a memory store, and returns the memory store.
    ///
    /// - Parameter checkCancellation: A closure that throws if the task is cancelled. It is called for every thousandth
    ///   record, beginning with the first.
    /// - Returns: The store itself or the copy in memory.
    /// - Throws: The error of `checkCancellation`, or `DataStoreError` if the store cannot be read.
    fileprivate func immediate(
        _ checkCancellation: @Sendable () throws -> Void
    ) async throws -> any ImmediateDataStore {
        if let store = self as? any ImmediateDataStore { return store }
        let (entries, catalogues, rules) = try await read { transaction in
            var entries: [Entry] = []
            for name in try transaction.collections() {
                try transaction.forEach(in: Scan(name)) { key, record in
                    if entries.count.isMultiple(of: 1000) { try checkCancellation() }
                    entries.append(Entry(key: key, record: record))
                    return .next
                }
            }
            return (entries, try transaction.indexCatalogues(), try transaction.rules())
        }
        let store = MemoryDataStore()
        try await store.write { transaction in
            for entry in entries { try transaction.put(entry.record, for: entry.key) }
            try transaction.declareIndexes(catalogues, rules)
        }
        return store
    }
}

/// A digest of the records of a collection, in the order of their ids. After a copy operation, the library compares the
/// digest of the written records with the digest of the records that it reads back.
///
/// Compare only digests that the same process computed, because the hash function is seeded for each process.
struct CollectionDigest: Equatable, Sendable {
    var recordCount = 0
    var hash = 0
}

/// The digest of each collection of a store, by the name of the collection.
typealias StoreDigest = [String: CollectionDigest]

extension RecordReading where Self: ~Copyable {
    /// Returns the digest of each collection, and passes each record to `visit`.
    func digest(_ visit: (Key, Record) throws -> Void = { _, _ in }) throws -> StoreDigest {
        var digest = StoreDigest()
        for name in try collections() {
            var (count, hasher) = (0, Hasher())
            try forEach(in: Scan(name)) { key, record in
                try visit(key, record)
                hasher.combine(key)
                hasher.combine(record)
                count += 1
                return .next
            }
            digest[name] = CollectionDigest(recordCount: count, hash: hasher.finalize())
        }
        return digest
    }
}
