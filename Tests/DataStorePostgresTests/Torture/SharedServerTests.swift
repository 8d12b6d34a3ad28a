import DataStoreCore
import DataStorePostgres
import DataStoreQueries
import DataStoreTesting
import Synchronization
import Testing
import TestScale
import TortureKit

@testable import store_torture

/// Tests of several processes, or of several stores in this process, that share one server.
@Suite(.enabled(if: PostgresSubject.server != nil, "USERPROFILE_TEST_POSTGRES names no server"))
struct SharedServerTests {
    private let subject = PostgresSubject()

    @Test("Concurrent processes lose no increment and no record")
    func concurrentProcesses() async throws {
        let (processCount, count) = (4, 500)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for process in 0..<processCount {
                group.addTask { [subject] in
                    let arguments = subject.storeArguments + ["share", subject.path, "\(process)", "\(count)"]
                    let outcome = try await TortureProgram.run(arguments)
                    #expect(outcome.isDone && outcome.lines("shared") == ["\(count)"], "\(outcome)")
                }
            }
            try await group.waitForAll()
        }
        let store = try await subject.open()
        let (counter, records) = try await store.read { transaction in
            (
                try transaction.record(for: ShareCommand.counter()),
                try transaction.records(in: Scan(ShareCommand.collection))
            )
        }
        #expect(counter == ["count": .integer(Int64(processCount * count))])
        let expected = try (0..<processCount).flatMap { process in
            try (0..<count).map { try ShareCommand.key($0, of: process) }
        }
        #expect(records.map(\.key).sorted { $0.id < $1.id } == expected.sorted { $0.id < $1.id })
        await store.close()
    }

    /// Two doctors are on call, and each goes off call if the other one stays. Both closures read before either of them
    /// writes. Under snapshot isolation, neither doctor would be on call afterwards.
    @Test("Of two writes that read what the other one writes, one runs again")
    func writeSkew() async throws {
        let stores = [try await subject.open(), try await subject.open()]
        let keys = try ["first", "second"].map { try Key(collection: "doctors", id: $0) }
        for _ in 0..<TestScale.count(10, full: 100) {
            try await stores[0].write { transaction in
                for key in keys { try transaction.put(["isOnCall": .bool(true)], for: key) }
            }
            let meeting = Meeting()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (store, (own, other)) in zip(stores, [(keys[0], keys[1]), (keys[1], keys[0])]) {
                    group.addTask {
                        try await store.write { transaction in
                            let isOtherOnCall = try transaction.record(for: other)?["isOnCall"] == .bool(true)
                            meeting.waitForOther()
                            if isOtherOnCall { try transaction.put(["isOnCall": .bool(false)], for: own) }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let onCall = try await stores[0].read { transaction in
                try keys.filter { try transaction.record(for: $0)?["isOnCall"] == .bool(true) }
            }
            #expect(onCall.count == 1)
            #expect(meeting.runCount > 2, "no closure ran again")
        }
        for store in stores { await store.close() }
    }

    @Test("No process accepts a duplicate of a unique field", arguments: [0, 1500])
    func duplicates(_ recordCount: Int) async throws {
        let findings = try await UniqueRun(subject, recordCount: recordCount).findings()
        #expect(findings == [])
    }

    @Test("Every reference stays true while processes of two program versions save and delete records")
    func references() async throws {
        let findings = try await ReferenceRun(subject, count: TestScale.count(10, full: 200)).findings()
        #expect(findings == [])
    }

    @Test("A killed migration continues, and an older program stops writing")
    func killedMigration() async throws {
        let killCount = TestScale.count(3, full: 8)
        let findings = try await MigrationRun(subject, recordCount: 4500).findings(killCount: killCount)
        #expect(findings == [])
    }

    @Test("An observer receives the last state of another process, and no state twice")
    func observation() async throws {
        let mistakes = try await WatchRun(subject).mistakes()
        #expect(mistakes == [])
    }
}

/// The point in two closures at which both have read and neither has written.
private final class Meeting: Sendable {
    private let runs = Mutex(0)

    /// The number of runs of the closures.
    var runCount: Int { runs.withLock(\.self) }

    /// Waits until the other closure has called this function, or for some seconds. A closure that runs again does not
    /// wait, because both have called the function before.
    func waitForOther() {
        runs.withLock { $0 += 1 }
        for _ in 0..<2000 where runCount < 2 { CurrentProcess.sleep(milliseconds: 5) }
    }
}

extension PostgresSubject: TortureSubject {
    var storeArguments: [String] { ["--store", "postgres"] }
    var path: String { uri }

    /// The store has no local files.
    func findings(of store: any DataStore) async throws -> [String] { [] }
}
