import DataStoreCore
import DataStoreLMDB
import Foundation
import Testing
import TortureKit

@testable import store_torture

/// Tests of a process that forks while it has a store open.
@Suite struct ForkTests {
    private let subject: LMDBSubject

    init() throws { subject = try LMDBSubject() }

    /// The child does not inherit the writer thread, which the parent has started only in `written`.
    @Test("A forked process does not affect the store of its parent", arguments: ["opened", "written"])
    func parent(_ moment: String) async throws {
        let outcome = try await fork(moment)
        #expect(outcome.isDone, "\(outcome)")
        // The read of the parent keeps its snapshot while this process overwrites everything, so the parent's locks are
        // still held.
        #expect(outcome.lines("same") == ["true"], "\(outcome)")
        #expect(outcome.lines.contains("saved"), "\(outcome)")
        let store = try LMDBDataStore(path: subject.path)
        #expect(try await store.check().findings == [])
        let saved = try store.read { try $0.record(for: ForkCommand.parentKey()) }
        #expect(saved == ["count": .integer(2)])
        await store.close()
    }

    @Test("A forked process cannot use the store of its parent", arguments: ["opened", "written"])
    func child(_ moment: String) async throws {
        let outcome = try await fork(moment)
        let lines = outcome.lines("child")
        #expect(lines.count == 5, "\(outcome)")
        for (line, what) in zip(lines, ["read", "generation", "write"]) {
            #expect(line.hasPrefix("\(what) closed ") && line.contains("fork"), "\(line)")
        }
        #expect(lines.suffix(2) == ["drop done", "exited 0"])
        let store = try LMDBDataStore(path: subject.path)
        let written = try store.read { try $0.record(for: ForkCommand.childKey()) }
        #expect(written == nil)
        await store.close()
    }

    /// Runs the program on a filled store. When its parent process holds a read after the fork, all records are
    /// overwritten several times.
    private func fork(_ moment: String) async throws -> TortureProgram.Outcome {
        let store = try LMDBDataStore(path: subject.path)
        try await fill(store, 0)
        var before: [String] = []
        let outcome = try await TortureProgram.run(["fork", moment, subject.path]) { session in
            while let line = try await session.line(), line != "holding" { before.append(line) }
            for time in 1..<20 { try await fill(store, UInt8(time)) }
            try await session.endInput()
        }
        await store.close()
        return TortureProgram.Outcome(lines: before + outcome.lines, error: outcome.error, status: outcome.status)
    }

    private func fill(_ store: LMDBDataStore, _ byte: UInt8) async throws {
        try await store.write { transaction in
            for number in 0..<50 {
                try transaction.put(
                    ["data": .data(Array(repeating: byte, count: 1000))], for: Key(collection: "c", id: "\(number)"))
            }
        }
    }
}
