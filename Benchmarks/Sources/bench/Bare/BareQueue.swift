import Foundation
import Synchronization

/// The peer that writes entries by direct calls of liblmdb on one thread, as a C program with many threads would. The
/// writer thread takes all waiting entries, commits them together, and wakes the waiting threads.
///
/// - Safety: `@unchecked Sendable` because all mutable state is accessed under the condition's lock.
final class BareQueue: @unchecked Sendable {
    private let environment: BareEnvironment
    private let condition = NSCondition()
    private let done = NSCondition()
    private var waiting: [EncodedEntry] = []
    private var submittedCount = 0
    private var isOver = false
    private let committedCount = Mutex(0)
    private let failure = Mutex<(any Error)?>(nil)

    init(_ environment: BareEnvironment) {
        self.environment = environment
        Thread.detachNewThread { [self] in run() }
    }

    /// Writes an entry and waits until it is durable.
    func put(_ entry: EncodedEntry) throws {
        condition.lock()
        waiting.append(entry)
        submittedCount += 1
        let ticket = submittedCount
        condition.signal()
        condition.unlock()
        done.lock()
        while committedCount.withLock({ $0 < ticket }), failure.withLock({ $0 == nil }) { done.wait() }
        done.unlock()
        if let failure = failure.withLock(\.self) { throw failure }
    }

    /// Writes entries with one thread for each part. Each thread writes the entries of its part one by one.
    func put(_ parts: [[EncodedEntry]]) throws {
        let group = DispatchGroup()
        for part in parts {
            group.enter()
            Thread.detachNewThread { [self] in
                defer { group.leave() }
                do { for entry in part { try put(entry) } } catch { failure.withLock { $0 = error } }
            }
        }
        group.wait()
        if let failure = failure.withLock(\.self) { throw failure }
    }

    /// Ends the writer thread. No entries may be written afterwards.
    func close() {
        condition.lock()
        isOver = true
        condition.signal()
        condition.unlock()
    }

    private func run() {
        while let batch = next() {
            do {
                try environment.put(batch, perTransaction: batch.count)
                committedCount.withLock { $0 += batch.count }
            } catch {
                failure.withLock { $0 = error }
            }
            done.lock()
            done.broadcast()
            done.unlock()
        }
    }

    private func next() -> [EncodedEntry]? {
        condition.lock()
        defer { condition.unlock() }
        while waiting.isEmpty {
            if isOver { return nil }
            condition.wait()
        }
        defer { waiting = [] }
        return waiting
    }
}
