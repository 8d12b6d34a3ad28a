import DataStoreCore

extension Snapshot {
    /// Sees to it that every page that is in use lies within the file.
    ///
    /// To touch a page of the map beyond the end of the file is SIGBUS, so a file that was cut off must be found out
    /// before it is used. That a file is shorter than its meta page says is no proof, so where one is, its trees are
    /// walked.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted`.
    func checkIsWhole() throws(DataStoreError) {
        guard isShort else { return }
        var walk = SnapshotWalk(self, verifiesRecords: false)
        walk.run()
        let findings = walk.findings
        guard let finding = findings.first(where: { $0.kind == .cutOff }) ?? findings.first else { return }
        throw DataStoreError(
            .corrupted, "its data.mdb is shorter than it should be, and \(finding); salvage it or restore a backup")
    }
}
