import DataStoreCore
import DataStoreLMDB
import Foundation
import UserProfileKit

/// Backs up a store. The step is the complete backup.
struct BackupScenario: Scenario {
    let name: String
    private let isLMDB: Bool
    private let workload: Workload

    init(_ name: String, isLMDB: Bool, _ workload: Workload) {
        self.name = name
        self.isLMDB = isLMDB
        self.workload = workload
    }

    func prepare(_ folder: String) async throws {
        let store = try await source(folder).open()
        try await closing(store) { try await workload.run(store) { _ in } }
    }

    func run(_ folder: String) async throws {
        try await source(folder).backUp(to: target(folder).address)
        Recording.acknowledge(1)
    }

    func stepCount(in folder: String) async throws -> Int {
        try await verify(source(folder))
        guard FileManager.default.fileExists(atPath: target(folder).address) else { return 0 }
        try await verify(target(folder))
        return 1
    }

    func proceed(in folder: String) async throws {
        if try await stepCount(in: folder) == 0 { try await run(folder) }
        guard try await stepCount(in: folder) == 1 else { throw Damage("the backup is missing") }
        let directory = URL(filePath: target(folder).address).deletingLastPathComponent()
        let files = FileManager.default
        for name in try files.contentsOfDirectory(atPath: directory.path) where name.contains("unfinished") {
            // A complete copy that does not have its final name yet remains.
            let contents = try files.contentsOfDirectory(atPath: directory.appending(path: name).path)
            if contents != ["data.mdb"] { throw Damage("\(name) is left with \(contents)") }
        }
    }

    private func verify(_ location: StorageLocation) async throws {
        let findings = try await location.check()
        if !findings.isEmpty { throw Damage("\(location): \(findings)") }
        let store = try await location.open()
        let count = try await closing(store) { try await workload.stepCount(in: store) }
        if count != workload.totalStepCount { throw Damage("\(location) has \(count) steps") }
    }

    private func source(_ folder: String) -> StorageLocation { location("\(folder)/store") }
    private func target(_ folder: String) -> StorageLocation { location("\(folder)/backups/today/store") }
    private func location(_ path: String) -> StorageLocation { isLMDB ? .lmdb(path) : .plist(path) }
}

extension StorageLocation {
    func open() async throws -> any DataStore { try await kind.open(at: address, report: nil) }
}
