import DataStoreCore
import DataStorePlist
import Foundation
import Synchronization
import TestScale
import Testing
import TortureKit

@testable import store_torture

/// Tests of several processes that share one file.
@Suite struct SharedFileTests {
    private let subject: PlistSubject

    init() throws { subject = try PlistSubject() }

    @Test("Every reference stays true while processes of two program versions save and delete records")
    func references() async throws {
        let findings = try await ReferenceRun(subject, count: TestScale.count(10, full: 200)).findings()
        #expect(findings == [])
    }

    /// The processes write the same keys and different ones, while another program reads the file continuously.
    @Test("Concurrent processes lose no save, and no reader sees a torn file")
    func concurrentProcesses() async throws {
        let (processCount, saveCount) = (8, 500)
        let reader = ConcurrentReader(of: subject.file)
        let tallies = try await withThrowingTaskGroup(of: [Int64].self) { group in
            for process in 0..<processCount {
                group.addTask { [subject] in
                    let outcome = try await TortureProgram.run(
                        subject.storeArguments + ["count", subject.path, "\(process)", "\(saveCount)"])
                    #expect(outcome.isDone, "\(outcome)")
                    return outcome.lines("tally").flatMap { $0.split(separator: " ").compactMap { Int64($0) } }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let (readCount, failures) = await reader.stop()
        print("shared file: read \(readCount) times meanwhile")
        #expect(readCount > 100)
        #expect(failures == [])
        let store = try PlistDataStore(path: subject.path)
        for counter in 0..<CountCommand.counterCount {
            let expected = tallies.map { $0.count == CountCommand.counterCount ? $0[counter] : 0 }.reduce(0, +)
            #expect(expected > Int64(processCount * saveCount / CountCommand.counterCount))
            #expect(
                try store.read { try $0.record(for: CountCommand.counter(counter)) } == ["count": .integer(expected)])
        }
        for process in 0..<processCount {
            for task in 0..<CountCommand.taskCount {
                let expected = (saveCount - task + CountCommand.taskCount - 1) / CountCommand.taskCount
                #expect(
                    try store.read { try $0.record(for: CountCommand.own(process, task)) }
                        == ["count": .integer(Int64(expected))])
            }
        }
        await store.close()
    }

    /// A killed process that holds the lock leaves a partial temporary file behind; the next process acquires the lock.
    @Test("After the process that holds the lock is killed, the next process acquires it")
    func killedLockHolder() async throws {
        let store = try PlistDataStore(path: subject.path)
        let key = try Key(collection: "c", id: "a")
        try await store.write { try $0.put(["n": .integer(1)], for: key) }
        let saved = Tally()
        let outcome = try await TortureProgram.run(["lock", subject.path]) { session in
            try await session.wait(for: "holding")
            let kill = session.kill
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { [store, key] in
                    try await store.write { try $0.put(["n": .integer(2)], for: key) }
                    saved.add(1)
                }
                try await Task.sleep(for: .milliseconds(200))
                // Reads continue, and the save waits.
                #expect(try store.read { try $0.record(for: key) } == ["n": .integer(1)])
                #expect(saved.sum == 0)
                kill()
                try await group.waitForAll()
            }
        }
        #expect(outcome.wasKilled)
        #expect(try store.read { try $0.record(for: key) } == ["n": .integer(2)])
        let names = try FileManager.default.contentsOfDirectory(atPath: subject.directory.path)
        #expect(names.sorted() == ["profile.plist", "profile.plist.lock"])
        await store.close()
    }
}

/// A thread that reads the file continuously with Foundation's parser, as another program would.
private final class ConcurrentReader: Sendable {
    private struct State {
        var isStopped = false
        var readCount = 0
        var failures: [String] = []
        var waiting: CheckedContinuation<Void, Never>?
        var hasEnded = false
    }

    private let state = Mutex(State())

    init(of file: URL) {
        Thread.detachNewThread { [self] in
            while !state.withLock(\.isStopped) {
                guard FileManager.default.fileExists(atPath: file.path) else { continue }
                do {
                    let bytes = try Data(contentsOf: file)
                    let root = try unsafe PropertyListSerialization.propertyList(from: bytes, options: [], format: nil)
                    let isWhole = (root as? [String: Any])?["UserProfile"] is [String: Any]
                    state.withLock { state in
                        state.readCount += 1
                        if !isWhole { state.failures.append("UserProfile is missing in \(bytes.count) bytes") }
                    }
                } catch {
                    state.withLock { $0.failures.append("\(error)") }
                }
            }
            let waiting = state.withLock { state in
                state.hasEnded = true
                return state.waiting.take()
            }
            waiting?.resume()
        }
    }

    /// - Returns: The number of reads, and the errors of the file.
    func stop() async -> (readCount: Int, failures: [String]) {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                state.isStopped = true
                if !state.hasEnded { state.waiting = continuation }
                return state.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
        return state.withLock { ($0.readCount, Array($0.failures.prefix(3))) }
    }
}
