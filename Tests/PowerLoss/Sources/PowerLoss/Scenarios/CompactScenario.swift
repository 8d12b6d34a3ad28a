import DataStoreCore
import DataStoreLMDB
import Foundation
import Synchronization
import UserProfileKit

/// Compacts an LMDB store. The step is the replacement of the data file, which changes no record.
final class CompactScenario: Scenario {
    let name: String
    private let workload: Workload
    /// The size of the data file before the compaction.
    private let byteCount = Mutex(0)

    init(_ name: String, _ workload: Workload) {
        self.name = name
        self.workload = workload
    }

    func prepare(_ folder: String) async throws {
        let store = try await location(folder).open()
        try await closing(store) { try await workload.run(store) { _ in } }
        let count = try await location(folder).info().fileByteCount ?? 0
        byteCount.withLock { $0 = count }
    }

    func run(_ folder: String) async throws {
        try await location(folder).compact()
        Recording.acknowledge(1)
    }

    func stepCount(in folder: String) async throws -> Int {
        let findings = try await location(folder).check()
        if !findings.isEmpty { throw Damage("\(findings)") }
        let store = try await location(folder).open()
        let count = try await closing(store) { try await workload.stepCount(in: store) }
        if count != workload.totalStepCount { throw Damage("the store has \(count) steps") }
        let byteCount = byteCount.withLock { $0 }
        return try await location(folder).info().fileByteCount ?? 0 < byteCount ? 1 : 0
    }

    func proceed(in folder: String) async throws {
        try await run(folder)
        guard try await stepCount(in: folder) == 1 else { throw Damage("the store is not compacted") }
        let others = try FileManager.default.contentsOfDirectory(atPath: location(folder).address)
            .filter { $0.contains("compacting") }
        if !others.isEmpty { throw Damage("\(others) is left") }
        let store = try await location(folder).open()
        try await closing(store) { try await workload.proceed(in: store) }
    }

    private func location(_ folder: String) -> StorageLocation { .lmdb("\(folder)/store") }
}
