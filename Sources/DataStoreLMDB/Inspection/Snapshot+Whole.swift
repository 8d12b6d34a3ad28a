import DataStoreCore

extension Snapshot {
    /// Verifies that the file contains every page in use.
    ///
    /// Accessing a page of the memory map beyond the end of the file raises SIGBUS, so a truncated file must be
    /// detected first. An intact file may also be shorter than its meta page states, because free pages at its end may
    /// be missing. If the file is shorter, this function therefore visits every page of both trees.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if a page in use is missing, or if the visit finds other
    ///   damage.
    func checkIsWhole() throws(DataStoreError) {
        guard isShort else { return }
        var walk = SnapshotWalk(self, verifiesRecords: false)
        walk.run()
        let findings = walk.findings
        guard let finding = findings.first(where: { $0.kind == .truncated }) ?? findings.first else { return }
        throw DataStoreError.damaged("data.mdb is truncated: \(finding)")
    }
}
