import DataStoreCore
import DataStoreSystem

extension PlistFile {
    /// Replaces a damaged file with a file of its intact parts, and keeps the damaged file under another name.
    func recover() throws(DataStoreError) -> PlistDataStore.RecoveryReport {
        guard try exists() else { throw DataStoreError.missing() }
        return try withLock { location throws(DataStoreError) in
            guard let read = try location.read() else { throw DataStoreError.missing() }
            guard let recovered = try PlistContents.recovering(read.bytes) else {
                return PlistDataStore.RecoveryReport(recordCount: try PlistContents(read.bytes).recordCount)
            }
            let damagedFile = try location.keepDamaged(read.bytes)
            _ = try location.directory.replace(
                location.name, with: recovered.contents.serialized())
            return PlistDataStore.RecoveryReport(recovered, keptAs: damagedFile)
        }
    }

    /// Copies the file to a new path. Throws an error if the file is damaged.
    func backUp(to target: String) throws(DataStoreError) {
        guard let read = try PlistLocation.resolve(path)?.read() else {
            throw DataStoreError.missing()
        }
        _ = try PlistContents(read.bytes)
        let entry = Path(target)
        guard entry.hasEntryName else {
            throw DataStoreError(
                .notAStore, "\(target.escapingControlCharacters) has no file name; choose another path")
        }
        let directory = try Directory.creating(entry.parent)
        try directory.checkPermissions()
        guard try directory.create(entry.name, with: read.bytes) else {
            throw DataStoreError.exists(target)
        }
    }
}
