import DataStoreCore
import DataStoreMemory

extension PlistFile {
    /// Replaces a damaged file with what can be read of it, and keeps it under another name.
    func recover() throws(DataStoreError) -> PlistDataStore.RecoveryReport {
        guard try exists() else { throw DataStoreError(.notAStore, "there is no file") }
        return try withLock { () throws(DataStoreError) in
            let target = try FileSystem.target(of: path)
            guard let stamp = try FileSystem.stamp(of: target) else {
                throw DataStoreError(.notAStore, "there is no file")
            }
            let (bytes, found, _) = try FileSystem.readStable(target, stamp)
            guard let found else { throw DataStoreError(.notAStore, "there is no file") }
            guard let recovered = try PlistContents.recovering(bytes) else {
                return PlistDataStore.RecoveryReport(recordCount: try PlistContents(bytes).records.count)
            }
            let damagedFile = try FileSystem.keep(target)
            _ = try FileSystem.replace(target, with: recovered.contents.serialized(), old: found)
            return PlistDataStore.RecoveryReport(recovered, keptAs: damagedFile)
        }
    }
}
