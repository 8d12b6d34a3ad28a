import DataStoreCore
import Synchronization
import UserProfileDomain

extension StorageLocation {
    /// Copies every record of every collection, also those of an embedding program's own entities, to another store, as they
    /// are at one moment.
    ///
    /// It is one transaction of the other store: others see all of it or nothing, and a failure or `kill -9` leaves the other
    /// store as it was. What is copied is read back twice and compared: before it is committed, and from the other store
    /// opened anew.
    ///
    /// - Parameters:
    ///   - target: where to.
    ///   - replacing: whether what the other store has goes, in the same transaction; otherwise it must be empty.
    ///   - progress: is told how many records were copied, on any thread.
    /// - Returns: how many records there are.
    /// - Throws: ``MaintenanceError``, `DataStoreError`, `CancellationError`; then nothing is changed, but where the other store
    ///   opened anew has not what was committed (``MaintenanceError/Code/notEqual``): its disk cannot be trusted.
    @discardableResult
    public func copy(
        to target: StorageLocation, replacing: Bool = false, progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws -> Int {
        for location in [self, target] where location == .memory { throw MaintenanceError.inMemory(location) }
        guard isThere else { throw MaintenanceError.noStore(self) }
        guard !isSame(as: target) else {
            throw MaintenanceError(.sameStore, target, "it is the store that is to be copied; name another one")
        }
        let cancellation = CopyCancellation()
        let written = try await withTaskCancellationHandler {
            try await withStore { source in
                try await target.withStore { store in
                    try await store.write { transaction in
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
        let found = try await target.withStore { try $0.snapshot { try $0.digest() } }
        try target.compare(found, with: written)
        return written.values.reduce(0) { $0 + $1.recordCount }
    }

    /// Puts everything of a store into a transaction of another one. It may run more than once.
    private static func copy(
        _ source: any SnapshotStore, to transaction: inout WriteTransaction, _ target: StorageLocation, replacing: Bool,
        _ progress: (Int) throws -> Void
    ) throws -> StoreDigest {
        let names = try transaction.collections()
        guard names.isEmpty || replacing else {
            throw MaintenanceError(
                .notEmpty, target,
                "it has records already, of \(names.joined(separator: ", ")); replace them or name another")
        }
        for name in names { try transaction.removeAll(in: Scan(name)) }
        var count = 0
        let digest = try source.snapshot { snapshot in
            try snapshot.digest { key, record in
                try transaction.put(record, for: key)
                count += 1
                try progress(count)
            }
        }
        try target.compare(try transaction.digest(), with: digest)
        return digest
    }

    private func compare(_ found: StoreDigest, with written: StoreDigest) throws(MaintenanceError) {
        let names = Set(found.keys).union(written.keys).filter { found[$0] != written[$0] }.sorted()
        guard let name = names.first else { return }
        throw MaintenanceError(
            .notEqual, self,
            "of the collection \(name), \(written[name]?.recordCount ?? 0) records were written and "
                + "\(found[name]?.recordCount ?? 0) read back, which are not equal")
    }
}

/// Tells a closure on another thread that a task was cancelled.
private final class CopyCancellation: Sendable {
    private let isCancelled = Atomic(false)

    func cancel() { isCancelled.store(true, ordering: .relaxed) }

    func check() throws(CancellationError) {
        if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
    }
}
