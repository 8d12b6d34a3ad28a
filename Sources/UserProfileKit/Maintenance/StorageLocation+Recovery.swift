import DataStoreLMDB
import DataStorePlist
import DataStoreQueries

/// The result of salvaging or recovering a store.
package struct RecoverySummary: Sendable {
    /// The number of records that were saved: copied to the other store, or contained in the recovered file.
    package let savedCount: Int

    /// A sentence for each part that is damaged or lost.
    package let losses: [String]

    /// The path of the damaged file, which was kept; `nil` if nothing was changed.
    package let damagedFile: String?
}

extension StorageLocation {
    /// Copies the intact records of a damaged LMDB store, and the definitions of its indexes, into another store, whose
    /// own records are never replaced. The damaged store is not changed.
    ///
    /// - Parameter target: The location of the other store.
    /// - Returns: What was copied and what is lost.
    /// - Throws: ``MaintenanceError`` if no store exists, it is not an LMDB store, or the target is not persistent;
    ///   `DataStoreError`; `CancellationError`.
    package func salvage(into target: StorageLocation) async throws -> RecoverySummary {
        guard target.kind.isPersistent else { throw MaintenanceError.notPersistent(target) }
        try await requireStore()
        guard kind is LMDBStoreKind else {
            throw MaintenanceError.unsupportedRecovery(
                self, "only LMDB stores can be salvaged; recover a property list instead")
        }
        return try await target.withStore { store in
            let report = try await LMDBDataStore.salvage(address, into: store)
            // Without the indexes, queries scan until another program builds them.
            if target.kind.storesIndexes { _ = try? await SchemaStore(store).buildIndexes() }
            var losses = report.findings.map { "\($0)" }
            losses += report.lostKeys.map { "the record \($0) is lost" }
            losses += report.keptKeys.map { "the record \($0) was not copied: the target has another one" }
            if report.mayBeOutdated { losses.append("records may be older than the last save") }
            return RecoverySummary(savedCount: report.savedCount, losses: losses, damagedFile: nil)
        }
    }

    /// Replaces a damaged property list by a file with its intact records and entries, and keeps the damaged one.
    ///
    /// - Returns: What was recovered and what is lost.
    /// - Throws: ``MaintenanceError`` if no store exists or it is not a property list; `DataStoreError`.
    package func recover() async throws -> RecoverySummary {
        try await requireStore()
        guard kind is PlistStoreKind else {
            throw MaintenanceError.unsupportedRecovery(
                self, "only property lists can be recovered in place; salvage an LMDB store into another one instead")
        }
        let report = try await PlistDataStore.recover(address)
        var losses = report.problems
        if report.mayHaveLostMore { losses.append("more records or entries may be lost") }
        return RecoverySummary(savedCount: report.savedCount, losses: losses, damagedFile: report.damagedFile)
    }
}
