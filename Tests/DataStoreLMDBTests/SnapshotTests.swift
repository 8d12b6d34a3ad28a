import DataStoreCore
import DataStoreLMDB
import DataStoreTesting
import Foundation
import Synchronization
import Testing

/// Tests of reads on several threads during random writes: each read must see exactly the state after some commit.
@Suite final class SnapshotTests: Sendable {
    private typealias State = [Key: Record]
    private struct Interruption: Error {}

    /// The result of a reader: the number of snapshots, and the error of the last one. The reader returns it
    /// because expectations on a detached thread are not attributed to the running test.
    private struct Reading {
        var count = 0
        var difference: String?
    }

    private let subject: LMDBSubject
    private let numberKey: Key

    /// The state after each commit, by commit number. The writer adds it before it commits.
    private let states = Mutex<[Int64: State]>([0: [:]])
    private let committed = Atomic<Int64>(0)
    private let isOver = Atomic(false)

    init() throws {
        subject = try LMDBSubject()
        numberKey = try Key(collection: "number", id: "of the commit")
    }

    @Test("Each read sees the state after a commit")
    func snapshots() async throws {
        let random = SeededGenerator()
        print("snapshots: seed \(random.seed)")
        // Two stores of one directory share an environment but not their readers.
        let stores = [try LMDBDataStore(path: subject.path), try LMDBDataStore(path: subject.path)]
        let readings = try await withThrowingTaskGroup(of: Reading.self) { group in
            for reader in 0..<3 { group.addTask { try await self.readOnThread(stores[reader % 2]) } }
            do {
                try await write(stores[0], random)
            } catch {
                isOver.store(true, ordering: .releasing)
                throw error
            }
            isOver.store(true, ordering: .releasing)
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for reading in readings {
            #expect(reading.count > 0)
            #expect(reading.difference == nil, "seed \(random.seed)")
        }
        for store in stores { await store.close() }
    }

    private func write(_ store: LMDBDataStore, _ random: SeededGenerator) async throws {
        var random = random
        var state: State = [:]
        let ids = try (0..<12).map { try Key(collection: $0 < 8 ? "a" : "b", id: "\($0)") }
        for number in Int64(1)...400 {
            let changes = (0..<Int.random(in: 1...4, using: &random)).map { _ -> (Key, Record?) in
                let isRemoval = Int.random(in: 0..<3, using: &random) == 0
                return (ids.randomElement(using: &random) ?? ids[0], isRemoval ? nil : .random(using: &random))
            }
            let isThrowing = Int.random(in: 0..<4, using: &random) == 0
            var next = state
            for (key, record) in changes { next[key] = record }
            if !isThrowing { states.withLock { [next] in $0[number] = next } }
            do {
                try await store.write { [numberKey] transaction in
                    for (key, record) in changes {
                        if let record { try transaction.put(record, for: key) } else { try transaction.remove(key) }
                    }
                    try transaction.put(["n": .integer(number)], for: numberKey)
                    if isThrowing { throw Interruption() }
                }
                state = next
                committed.store(number, ordering: .releasing)
            } catch is Interruption {}
        }
    }

    /// Reads snapshots on a separate thread until the writer has finished.
    private func readOnThread(_ store: LMDBDataStore) async throws -> Reading {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try self.read(store) }) }
        }
    }

    private func read(_ store: LMDBDataStore) throws -> Reading {
        var reading = Reading()
        var last = Int64(0)
        repeat {
            let least = max(last, committed.load(ordering: .acquiring))
            let (number, state) = try store.read { transaction in
                var number: Int64 = 0
                if case .integer(let stored) = try transaction.record(for: numberKey)?["n"] { number = stored }
                var state: State = [:]
                for collection in ["a", "b"] {
                    for entry in try transaction.records(in: Scan(collection)) { state[entry.key] = entry.record }
                }
                return (number, state)
            }
            reading.count += 1
            last = number
            // A commit that has been seen, or whose write has returned, is visible to all later reads.
            if number < least { reading.difference = "commit \(number) after commit \(least)" }
            if let difference = difference(of: state, from: number) { reading.difference = difference }
        } while reading.difference == nil && !isOver.load(ordering: .acquiring)
        return reading
    }

    private func difference(of state: State, from number: Int64) -> String? {
        guard let expected = states.withLock({ $0[number] }) else { return "there was no commit \(number)" }
        let keys = Set(expected.keys).union(state.keys).filter { expected[$0] != state[$0] }.sorted()
        return keys.isEmpty ? nil : "commit \(number) has other records at \(keys)"
    }
}
