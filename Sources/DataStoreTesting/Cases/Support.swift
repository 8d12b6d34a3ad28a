import DataStoreCore
import Synchronization
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension DataStore {
    /// Puts a record in a separate transaction.
    func put(_ record: Record, _ key: Key) async throws {
        try await write { try $0.put(record, for: key) }
    }

    /// Returns the ids that a scan visits.
    func ids(_ scan: Scan) async throws -> [String] {
        try await read { try $0.records(in: scan).map(\.key.id) }
    }
}

/// An error that the closure of a check throws, to verify that the store rethrows it.
struct Interruption: Error, Equatable {
    let number: Int
}

/// Runs a closure and expects that it throws a `DataStoreError` with the given code.
@discardableResult
func expect(
    _ code: DataStoreError.Code, _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async -> DataStoreError? {
    do {
        try await body()
        Issue.record("\(what): expected the error \(code), but no error was thrown", sourceLocation: sourceLocation)
    } catch let error as DataStoreError {
        #expect(error.code == code, what, sourceLocation: sourceLocation)
        return error
    } catch {
        Issue.record("\(what): expected the error \(code), not \(error)", sourceLocation: sourceLocation)
    }
    return nil
}

/// A Boolean value that several threads can set and read.
final class Flag: Sendable {
    private let state = Atomic(false)
    var isRaised: Bool { state.load(ordering: .sequentiallyConsistent) }
    func raise() { state.store(true, ordering: .sequentiallyConsistent) }

    /// Blocks the thread until the flag is raised, or until a time passes that only a hang exceeds.
    func wait() {
        let deadline = ContinuousClock.now + .seconds(20)
        while !isRaised, .now < deadline { sched_yield() }
    }
}

/// The checks that block a thread of the concurrency pool run one at a time, because they need another thread to end.
actor ThreadBlocking {
    private static let shared = ThreadBlocking()
    private var last: Task<Void, any Error>?

    /// Runs a closure after the closures of earlier calls.
    static func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await shared.append(body).value
    }

    private func append(_ body: @escaping @Sendable () async throws -> Void) -> Task<Void, any Error> {
        let task = Task { [last] in
            _ = await last?.result
            try await body()
        }
        last = task
        return task
    }
}
