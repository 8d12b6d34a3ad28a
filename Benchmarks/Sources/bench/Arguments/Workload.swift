import ArgumentParser

/// A workload that the benchmarks measure.
enum Workload: String, CaseIterable, ExpressibleByArgument {
    case read
    case threads
    case scan
    case bulk
    case transfer
    case save
    case group
    case tasks
    case memory
    case open
    case size
    case allocations
    case growth
    case process
    case registered
    case find
    case queries
    case indexedSave = "indexed-save"
    case plistRead = "plist-read"
    case plistSave = "plist-save"
    case plistGroup = "plist-group"
    case watch
    case entities
    case migrate
    case sealed
    case postgres
    case postgresClients = "postgres-clients"

    /// Whether the workload runs if none is named. Some need a running server.
    var isUsual: Bool {
        switch self {
        case .postgres, .postgresClients: PostgresStage.isAvailable
        default: true
        }
    }

    /// The numbers of profiles with which the workload is measured by default.
    var usualCounts: [Int] {
        switch self {
        case .read, .threads, .scan: [100_000, 1_000_000]
        case .bulk, .save, .group, .tasks: [100_000]
        case .transfer: [1_000_000]
        case .memory: [10_000, 100_000, 1_000_000]
        case .open, .size, .process: [100_000]
        case .allocations: [1000]
        case .growth: [1_000_000]
        case .registered: [100_000]
        case .find: [1000, 10_000, 100_000, 1_000_000]
        case .queries: [10_000]
        case .indexedSave: [100_000]
        case .plistRead: [100, 10_000]
        case .plistSave: [100, 1000, 10_000]
        case .plistGroup, .watch: [100]
        case .migrate: [1_000_000]
        case .sealed: [100_000]
        case .entities: [1000, 20_000, 100_000, 1_000_000]
        case .postgres, .postgresClients: [100_000]
        }
    }

    func run(on stage: Stage, count: Int) async throws -> [Comparison] {
        switch self {
        case .read: try await ReadBenchmark(stage: stage, count: count).run()
        case .threads: try await ParallelReadBenchmark(stage: stage, count: count).run()
        case .scan: try await ScanBenchmark(stage: stage, count: count).run()
        case .bulk: try await BulkPutBenchmark(stage: stage, count: count).run()
        case .transfer: try await TransferBenchmark(stage: stage, count: count).run()
        case .save: try await DurableSaveBenchmark(stage: stage, count: count).run()
        case .group: try await SharedCommitBenchmark(stage: stage, count: count).run()
        case .tasks: try await SharedCommitBenchmark.run(taskCounts: [1, 8, 1000], on: stage, count: count)
        case .memory: try await MemoryBenchmark(stage: stage, count: count).run()
        case .open: try await OpenBenchmark(stage: stage, count: count).run()
        case .size: try await SizeBenchmark(stage: stage, count: count).run()
        case .allocations: try await AllocationBenchmark(stage: stage, count: count).run()
        case .growth: try await GrowthBenchmark(stage: stage, count: count).run()
        case .process: try await ProcessBenchmark(stage: stage, count: count).run()
        case .registered: try await RegisteredReadBenchmark(stage: stage, count: count).run()
        case .find: try await FindBenchmark(stage: stage, count: count).run()
        case .queries: try await QueryBenchmark(stage: stage, count: count).run()
        case .indexedSave: try await IndexedSaveBenchmark(stage: stage, count: count).run()
        case .plistRead: try await PlistReadBenchmark(stage: stage, count: count).run()
        case .plistSave: try await PlistSaveBenchmark(stage: stage, count: count).run()
        case .plistGroup: try await PlistSharedSaveBenchmark(stage: stage, count: count).run()
        case .watch: try await WatchBenchmark(stage: stage, count: count).run()
        case .entities: try await EntityBenchmark(stage: stage, count: count).run()
        case .migrate: try await MigrationBenchmark(stage: stage, count: count).run()
        case .sealed: try await SealedBenchmark(stage: stage, count: count).run()
        case .postgres: try await PostgresBenchmark(stage: stage, count: count).run()
        case .postgresClients: try await PostgresClientBenchmark(stage: stage, count: count).run()
        }
    }
}
