import DamageTesting
import DataStoreCore
import DataStoreLMDB
import DataStoreTesting
import Foundation
import Testing
import TestScale

/// Tests with random damage: nothing crashes, liblmdb reads each file that the check calls clean, and salvaged records
/// are correct.
///
/// `USERPROFILE_DAMAGE_ROUNDS` is the number of rounds, each with a new store, `USERPROFILE_DAMAGE_SEED` the seed of
/// the first one.
@Suite struct DamagedStoreTests {
    @Test("Random damage causes no crash, and clean or salvaged records are correct")
    func randomDamage() async throws {
        let rounds = TestScale.number("USERPROFILE_DAMAGE_ROUNDS") ?? 1
        let seed = TestScale.number("USERPROFILE_DAMAGE_SEED") ?? UInt64.random(in: 0...UInt64.max)
        let trials = TestScale.count(75, full: 500)
        var verdicts: [String: Int] = [:]
        for round in 0..<rounds {
            var generator = SeededGenerator(seed: seed &+ UInt64(round))
            let original = try await FilledStore(using: &generator)
            print("damage: seed \(generator.seed), \(original.bytes.count) bytes, \(original.records.count) records")
            for trial in 0..<trials {
                let damages = Damage.random(in: original.bytes.count, using: &generator)
                let hasLockFile = Bool.random(using: &generator)
                let verdict = try await verdict(
                    on: original, damages, hasLockFile: hasLockFile,
                    "seed \(generator.seed), trial \(trial): \(damages)")
                verdicts[verdict, default: 0] += 1
            }
        }
        let counts = verdicts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        print("damage: \(counts.joined(separator: ", "))")
        #expect(verdicts.values.reduce(0, +) == rounds * trials)
    }

    /// Damages a copy, checks it, and verifies the result of the check.
    private func verdict(
        on original: FilledStore, _ damages: [Damage], hasLockFile: Bool, _ trial: String
    ) async throws -> String {
        let directory = FileManager.default.temporaryDirectory.appending(path: "lmdb-damaged-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        var bytes = original.bytes
        for damage in damages { damage.apply(to: &bytes) }
        try Data(bytes).write(to: directory.appending(path: "data.mdb"))
        if hasLockFile { try Data().write(to: directory.appending(path: "lock.mdb")) }
        do {
            let report = try await LMDBDataStore.check(directory.path)
            if report.isClean {
                #expect(report.recordCount == original.records.count, "\(trial)")
                let difference = try await Probe.difference(
                    of: directory.path, from: original.path, in: FilledStore.collections)
                #expect(difference == nil, "\(trial)")
                return "clean"
            }
            let saving = try await salvage(directory, original, trial)
            let now = Array(try Data(contentsOf: directory.appending(path: "data.mdb")))
            #expect(now == bytes, "\(trial)")
            let kinds = Set(report.findings.map { "\($0.kind)" })
            return kinds.sorted().joined(separator: "+") + " " + saving
        } catch let error as DataStoreError {
            return "error \(error.code)"
        }
    }

    private func salvage(_ directory: URL, _ original: FilledStore, _ trial: String) async throws -> String {
        let target = MemoryDataStore()
        do {
            let report = try await LMDBDataStore.salvage(directory.path, into: target)
            var count = 0
            var wrongKeys: [Key] = []
            for collection in FilledStore.collections {
                for entry in try target.read({ try $0.records(in: Scan(collection)) }) {
                    count += 1
                    let versions = original.versions[entry.key] ?? []
                    let isRight =
                        report.mayBeOutdated
                        ? versions.contains(entry.record) : original.records[entry.key] == entry.record
                    if !isRight { wrongKeys.append(entry.key) }
                }
            }
            #expect(wrongKeys == [], "\(trial) \(report.findings)")
            #expect(count == report.savedCount, "\(trial)")
            let share =
                count == original.records.count ? "all" : count * 10 >= original.records.count * 9 ? "most" : "some"
            return "→ \(count == 0 ? "none" : share)\(report.mayBeOutdated ? ", perhaps old" : "")"
        } catch let error as DataStoreError {
            return "→ error \(error.code)"
        }
    }
}
