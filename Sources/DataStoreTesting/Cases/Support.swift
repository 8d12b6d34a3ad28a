import DataStoreCore
import Synchronization
import Testing

extension DataStore {
    /// The record of a key, read in a transaction of its own.
    func record(_ key: Key) async throws -> Record? { try await read { try $0.record(for: key) } }

    /// Puts a record in a transaction of its own.
    func put(_ record: Record, _ key: Key) async throws {
        try await write { try $0.put(record, for: key) }
    }

    /// The ids that a scan shows.
    func ids(_ scan: Scan) async throws -> [String] {
        try await read { try $0.records(in: scan).map(\.key.id) }
    }
}

/// What a closure of a check throws to see whether it comes back.
struct Interruption: Error, Equatable {
    let number: Int
}

/// Runs something that must fail with a code.
@discardableResult
func expect(
    _ code: DataStoreError.Code, _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async -> DataStoreError? {
    do {
        try await body()
        Issue.record("\(what): no error, \(code) is expected", sourceLocation: sourceLocation)
    } catch let error as DataStoreError {
        #expect(error.code == code, what, sourceLocation: sourceLocation)
        return error
    } catch {
        Issue.record("\(what): \(error), \(code) is expected", sourceLocation: sourceLocation)
    }
    return nil
}

/// Something that has happened or not.
final class Flag: Sendable {
    private let state = Atomic(false)
    var isRaised: Bool { state.load(ordering: .sequentiallyConsistent) }
    func raise() { state.store(true, ordering: .sequentiallyConsistent) }
}
