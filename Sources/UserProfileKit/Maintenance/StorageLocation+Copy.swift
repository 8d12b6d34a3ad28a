import DataStoreCore
import DataStoreQueries
import Synchronization
import UserProfileDomain

extension StorageLocation {
    /// Copies one snapshot of the records of all collections to another store, with the definitions of all indexes. It
    /// includes the embedding program's own entities.
    ///
    /// The copy is one transaction of the other store. Readers see all of it or nothing, and a failure or `kill -9`
    /// leaves the other store unchanged. The copied records are read back and compared twice: before the commit, and
    /// after the other store was reopened. Unique fields are enforced from the commit on. The entries of indexes are
    /// then built in steps. If that fails, queries scan until another program builds them.
    ///
    /// LMDB environments and property lists are copied record by record. The records of a store of any other kind are
    /// first read into memory, all of them at once.
    ///
    /// - Parameters:
    ///   - target: The location of the other store.
    ///   - replacing: Whether the same transaction removes the records and indexes of the other store. If `false`, it
    ///     must have no records, and the unique fields that are declared in it are enforced.
    ///   - progress: Receives the number of records copied so far, on any thread.
    /// - Returns: The number of records.
    /// - Throws: ``MaintenanceError``, `DataStoreError`, `CancellationError`. Nothing was changed, with one exception:
    ///   if the reopened store does not return what was written, the error says so, and its disk cannot be trusted.
    @discardableResult
    public func copy(
        to target: StorageLocation, replacing: Bool = false, progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws -> Int {
        guard target.kind.isPersistent else { throw MaintenanceError.notPersistent(target) }
        try await requireStore()
        guard try !isSame(as: target) else {
            throw MaintenanceError(.sameStore, target, "the source is the same store; choose another target")
        }
        let cancellation = CopyCancellation()
        let written = try await withTaskCancellationHandler {
            try await withStore { source in
                let source = try await source.readableSynchronously(cancellation.check)
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
        let found = try await target.withStore { try await $0.read { try $0.digest() } }
        try target.compare(found, with: written)
        if target.kind.storesIndexes { await target.buildIndexes() }
        return written.values.reduce(0) { $0 + $1.recordCount }
    }

    /// Builds the indexes of a committed copy. A failure must not look like a failure of the copy, which is complete
    /// without them.
    private func buildIndexes() async {
        _ = try? await withStore { try await SchemaStore($0).buildIndexes() }
    }

    /// Copies all records and index definitions of a store in a transaction of another one. It may run more than once.
    private static func copy(
        _ source: any SnapshotStore, to transaction: inout WriteTransaction, _ target: StorageLocation, replacing: Bool,
        _ progress: (Int) throws -> Void
    ) throws -> StoreDigest {
        let names = try transaction.collections()
        guard names.isEmpty || replacing else {
            throw MaintenanceError(
                .notEmpty, target,
                "it already has records (\(names.joined(separator: ", "))); replace them or choose another target")
        }
        // Removing records is faster without indexes.
        if replacing { try transaction.removeAllIndexes() }
        for name in names { try transaction.removeAll(in: Scan(name)) }
        var count = 0
        let digest = try source.snapshot { snapshot in
            let digest = try snapshot.digest { key, record in
                try transaction.put(record, for: key)
                count += 1
                try progress(count)
            }
            try transaction.declareIndexes(snapshot.indexDefinitions())
            return digest
        }
        try target.compare(try transaction.digest(), with: digest)
        return digest
    }

    private func compare(_ found: StoreDigest, with written: StoreDigest) throws(MaintenanceError) {
        let names = Set(found.keys).union(written.keys).filter { found[$0] != written[$0] }.sorted()
        guard let name = names.first else { return }
        throw MaintenanceError(
            .notEqual, self,
            "\(written[name]?.recordCount ?? 0) records were written to the collection \(name), but "
                + "\(found[name]?.recordCount ?? 0) other ones were read back; check the disk and copy again")
    }
}

/// The cancellation of a task, for a closure that runs on another thread.
private final class CopyCancellation: Sendable {
    private let isCancelled = Atomic(false)

    func cancel() { isCancelled.store(true, ordering: .relaxed) }

    func check() throws(CancellationError) {
        if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
    }
}
