public import DataStoreCore
import DataStoreQueries
import Synchronization
public import Testing

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

    /// Puts records of the collection `c` in one transaction.
    func put(_ records: KeyValuePairs<String, Record>) async throws {
        try await put(records.map { ($0.key, $0.value) })
    }

    func put(_ records: [(id: String, record: Record)]) async throws {
        let changes = try records.map { (try DataStoreConformance.key($0.id), Record?.some($0.record)) }
        try await write { try $0.apply(changes) }
    }

    /// Puts empty records of a collection in one transaction.
    func put(_ ids: [String], in collection: String = "c") async throws {
        try await write { transaction in
            for id in ids { try transaction.put([:], for: Key(collection: collection, id: id)) }
        }
    }

    /// Returns all records of a collection.
    func entries(of collection: String = "c") async throws -> [Entry] {
        try await read { try $0.records(in: Scan(collection)) }
    }

    /// Returns a report on a query.
    func explain(_ query: RecordQuery) async throws -> QueryExplanation { try await read { try $0.explain(query) } }

    /// Removes a record in a separate transaction, and returns whether it existed.
    @discardableResult
    func remove(_ key: Key) async throws -> Bool { try await write { try $0.remove(key) } }

    /// Returns the ids that a scan visits.
    func ids(_ scan: Scan) async throws -> [String] {
        try await read { try $0.records(in: scan).map(\.key.id) }
    }

    /// Returns the ids of the records that match a query, in its order.
    func ids(_ query: RecordQuery) async throws -> [String] {
        try await read { try $0.records(matching: query).entries.map(\.key.id) }
    }

    /// Returns the ids of the records that match a query with a limit, read page by page. Stops if a store returns far
    /// too many.
    func pagedIDs(_ query: RecordQuery) async throws -> [String] {
        var (query, ids): (RecordQuery, [String]) = (query, [])
        repeat {
            let page = try await read { [query] in try $0.records(matching: query) }
            ids += page.entries.map(\.key.id)
            query.cursor = page.next
        } while query.cursor != nil && ids.count < 1000
        return ids
    }
}

extension WriteTransaction {
    /// Puts each record under its key, or removes the key if the record is `nil`.
    mutating func apply(_ changes: some Sequence<(Key, Record?)>) throws {
        for (key, record) in changes {
            if let record { try put(record, for: key) } else { try remove(key) }
        }
    }
}

extension DataStoreConformance {
    /// The number of records that a check writes at random, or of its rounds: more with `USERPROFILE_FULL_TESTS=1`.
    static func count(_ short: Int, full: Int) -> Int { isFull ? full : short }

    private static let isFull = unsafe getenv("USERPROFILE_FULL_TESTS").map { unsafe String(cString: $0) } == "1"

    /// Returns the key of a record in the collection `c`.
    @Sendable static func key(_ id: String) throws -> Key { try Key(collection: "c", id: id) }
}

/// An error that the closure of a check throws, to verify that the store rethrows it.
struct Interruption: Error, Equatable {
    let number: Int
}

/// Runs a closure and returns the `DataStoreError` that it throws, or `nil` if it throws none.
package func storeError(_ body: () async throws -> Void) async throws -> DataStoreError? {
    do { try await body() } catch let error as DataStoreError { return error }
    return nil
}

/// Runs a closure and expects that it throws a `DataStoreError` with the given code.
@discardableResult
func expect(
    _ code: DataStoreError.Code, _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async -> DataStoreError? {
    let error = await #expect(throws: DataStoreError.self, what, sourceLocation: sourceLocation) { try await body() }
    if let error { #expect(error.code == code, what, sourceLocation: sourceLocation) }
    return error
}

/// Waits until a condition is met, and fails the test after a time that only a hang exceeds. It sleeps between two
/// looks: a loop that only yields keeps a starving machine from the work it waits for, and grows under the thread
/// sanitizer.
package func until(sourceLocation: SourceLocation = #_sourceLocation, _ isMet: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(300)
    while try await !isMet() {
        try #require(.now < deadline, "the condition is not met in time", sourceLocation: sourceLocation)
        try await Task.sleep(for: .milliseconds(1))
    }
}

/// Runs a closure in several tasks at once, and passes the number of the task to it.
func concurrently(_ count: Int, _ body: @escaping @Sendable (Int) async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<count { group.addTask { try await body(number) } }
        try await group.waitForAll()
    }
}

/// A Boolean value that several threads can set and read.
final class Flag: Sendable {
    /// Whether a check blocks a thread without suspending. If several checks did, no thread might be left for the tasks
    /// that they await.
    static let isBlocking = Flag()

    private let state = Atomic(false)
    var isRaised: Bool { state.load(ordering: .sequentiallyConsistent) }
    func raise() { state.store(true, ordering: .sequentiallyConsistent) }
    func lower() { state.store(false, ordering: .sequentiallyConsistent) }

    /// Raises the flag. If it is already raised, waits until it is lowered.
    func raiseAlone() async throws {
        while state.exchange(true, ordering: .sequentiallyConsistent) { try await Task.sleep(for: .milliseconds(1)) }
    }

    /// Blocks the thread until the flag is raised, or until a time passes that only a hang exceeds.
    func wait() {
        let deadline = ContinuousClock.now + .seconds(300)
        while !isRaised, .now < deadline { usleep(1000) }
    }
}

/// A clock whose time a check sets.
final class TestClock: Sendable {
    private let seconds = Mutex<Int64>(0)

    var now: Int64 {
        get { seconds.withLock { $0 } }
        set { seconds.withLock { $0 = newValue } }
    }

    var timestamp: @Sendable () -> Timestamp { { Timestamp(seconds: self.now) } }
}

extension Record: CustomTestStringConvertible {
    /// The fields as text, e.g. `{title: "Kyoto", days: 3}`.
    public var testDescription: String {
        "{\(map { "\($0.name): \($0.value.testDescription)" }.joined(separator: ", "))}"
    }
}

extension Value: CustomTestStringConvertible {
    /// The value as text, e.g. `"Kyoto"`. Long strings and data are truncated and followed by their length.
    public var testDescription: String {
        switch self {
        case .string(let text):
            text.utf8.count > 100
                ? "\(String(text.prefix(50)).debugDescription)… (\(text.utf8.count) bytes)" : text.debugDescription
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .bool(let flag): "\(flag)"
        case .date(let timestamp): "\(timestamp)"
        case .data(let bytes): "\(bytes.prefix(16))\(bytes.count > 16 ? "…" : "") (\(bytes.count) bytes)"
        case .array(let values): "[\(values.map(\.testDescription).joined(separator: ", "))]"
        case .record(let record): record.testDescription
        case .sealed(let bytes): "sealed (\(bytes.count) bytes)"
        }
    }
}
