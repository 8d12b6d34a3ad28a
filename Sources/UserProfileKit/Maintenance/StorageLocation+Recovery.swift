import DataStoreLMDB
import DataStorePlist
import DataStoreQueries

/// The result of salvaging or recovering a store.
package struct RecoverySummary: Sendable {
    /// The number of intact records that salvaging has copied to the target, or that the recovered file contains.
    package let savedCount: Int

    /// One sentence for each part of the store that is damaged or lost, and for each record that salvaging did not copy
    /// because the target has another record with the same key.
    package let losses: [String]

    /// The path at which recovery has kept the damaged file, or `nil` if the store was not changed.
    package let damagedFile: String?
}

extension StorageLocation {
    /// Copies the intact records of a damaged LMDB store, and the definitions of its indexes, into another store.
    /// Existing records of the other store are not replaced, and the damaged store is not changed.
    ///
    /// - Parameter target: The location of the other store.
    /// - Returns: The number of copied records, and the losses.
    /// - Throws: ``MaintenanceError`` if no store exists, if it is not an LMDB store, if the target is the same
    ///   store, or if the records of the target do not outlive the process. `DataStoreError` if the damaged store
    ///   cannot be read or the target cannot be written. `CancellationError` if the task is cancelled.
    package func salvage(into target: StorageLocation) async throws -> RecoverySummary {
        guard target.kind.isPersistent else { throw MaintenanceError.notPersistent(target) }
        try await requireStore()
        guard kind is LMDBStoreKind else { throw MaintenanceError.unsupportedSalvage(self) }
        try requireOther(target)
        return try await target.withStore { store in
            let report = try await LMDBDataStore.salvage(address, into: store)
            // If the build fails, queries read all records until a program builds the indexes.
            if target.kind.storesIndexes { _ = try? await SchemaStore(store).buildIndexes() }
            var losses = report.findings.map { "\($0)" }
            losses += report.lostKeys.map { "the record \($0) is lost" }
            losses += report.keptKeys.map { "the record \($0) was not copied: the target has a different one" }
            if report.mayBeOutdated { losses.append("the copied records may be older than the last save") }
            return RecoverySummary(savedCount: report.savedCount, losses: losses, damagedFile: nil)
        }
    }

    /// Replaces a damaged property list with a file that contains the intact records of the store and the intact
    /// entries that do not belong to the store. Keeps the damaged file under another name. An intact file is not
    /// changed.
    ///
    /// - Returns: The number of recovered records, the losses, and the path of the damaged file.
    /// - Throws: ``MaintenanceError`` if no store exists or it is not a property list. `DataStoreError` if the file
    ///   cannot be read, recovered or written.
    package func recover() async throws -> RecoverySummary {
        try await requireStore()
        guard kind is PlistStoreKind else { throw MaintenanceError.unsupportedRecovery(self) }
        let report = try await PlistDataStore.recover(address)
        var losses = report.problems
        if report.mayHaveLostMore { losses.append("more records or entries may be lost") }
        return RecoverySummary(savedCount: report.savedCount, losses: losses, damagedFile: report.damagedFile)
    }
}
