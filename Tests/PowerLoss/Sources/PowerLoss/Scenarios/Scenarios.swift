import UserProfileKit

extension Scale {
    /// The scenarios of this length.
    var scenarios: [any Scenario] {
        func workload(_ taskCount: Int, _ stepCount: Int, maximumByteCount: Int = 5000) -> Workload {
            Workload(seed: seed, taskCount: taskCount, stepCount: stepCount, maximumByteCount: maximumByteCount)
        }
        return [
            StoreScenario("lmdb", .durable, workload(1, 12 * factor)),
            StoreScenario("lmdb-group", .durable, workload(3, 5 * factor)),
            StoreScenario("lmdb-consistent", .consistent, workload(1, 12 * factor)),
            StoreScenario("plist-xml", .xml, workload(1, 10 * factor, maximumByteCount: 900)),
            StoreScenario("plist-binary", .binary, workload(3, 4 * factor, maximumByteCount: 900)),
            BackupScenario("backup-lmdb", isLMDB: true, workload(1, 10 * factor)),
            BackupScenario("backup-plist", isLMDB: false, workload(1, 10 * factor, maximumByteCount: 900)),
            CompactScenario("compact", workload(1, 10 * factor)),
            CopyScenario("copy-lmdb", from: StorageLocation.plist, to: { .lmdb($0) }, workload(1, 5 * factor)),
            CopyScenario(
                "copy-plist", from: { .lmdb($0) }, to: StorageLocation.plist,
                workload(1, 5 * factor, maximumByteCount: 900)),
            CopyScenario(
                "copy-replacing", from: StorageLocation.plist, to: { .lmdb($0) },
                replacing: Workload(seed: ~seed, taskCount: 1, stepCount: 8), workload(1, 5 * factor)),
            ImportScenario("import-lmdb", profileCount: 30 * factor, batchCount: 10, { .lmdb($0) }),
            ImportScenario("import-plist", profileCount: 30 * factor, batchCount: 10, StorageLocation.plist),
        ]
    }
}
