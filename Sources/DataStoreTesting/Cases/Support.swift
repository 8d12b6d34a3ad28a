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

    /// Puts records of a collection in one transaction.
    func put(_ records: KeyValuePairs<String, Record>, in collection: String = "c") async throws {
        try await put(records.map { ($0.key, $0.value) }, in: collection)
    }

    func put(_ records: [(id: String, record: Record)], in collection: String = "c") async throws {
        let changes = try records.map { (try Key(collection: collection, id: $0.id), Record?.some($0.record)) }
        try await write { try $0.apply(changes) }
    }

    /// Puts empty records of a collection in one transaction.
    func put(_ ids: [String], in collection: String = "c") async throws {
        try await put(ids.map { ($0, [:]) }, in: collection)
    }

    /// Expects that the put of a record throws a `DataStoreError` with the given code, whose description contains the
    /// given texts.
    @discardableResult
    func expectRejected(
        _ record: Record, _ key: Key, _ code: DataStoreError.Code = .notUnique, naming texts: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> DataStoreError? {
        await expect(code, "\(key) = \(record.testDescription)", naming: texts, sourceLocation: sourceLocation) {
            try await put(record, key)
        }
    }

    /// Runs a write that throws at its end, and expects that the store rethrows the error.
    func interruptWrite(
        number: Int = 1, _ body: @escaping @Sendable (inout WriteTransaction) throws -> Void
    ) async {
        await #expect(throws: Interruption(number: number)) {
            try await write { transaction in
                try body(&transaction)
                throw Interruption(number: number)
            }
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

    /// Returns the records that match a query with a limit, read page by page. Stops if a store returns far too many.
    func pagedEntries(_ query: RecordQuery) async throws -> [Entry] {
        var (query, entries): (RecordQuery, [Entry]) = (query, [])
        repeat {
            let page = try await read { [query] in try $0.records(matching: query) }
            entries += page.entries
            query.cursor = page.next
        } while query.cursor != nil && entries.count < 1000
        return entries
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

    private static let isFull = environment("USERPROFILE_FULL_TESTS") == "1"

    /// The seed of all random checks, to reproduce a failure, or `nil` for random seeds.
    static let seed = environment("USERPROFILE_TEST_SEED").flatMap { UInt64($0) }

    private static func environment(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    /// Returns the key of a record, by default in the collection `c`.
    @Sendable static func key(_ id: String, in collection: String = "c") throws -> Key {
        try Key(collection: collection, id: id)
    }
}

extension Record {
    /// Returns the integer in a field, or 0 without one.
    func number(_ name: String = "n") -> Int64 { if case .integer(let number)? = self[name] { number } else { 0 } }
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

/// Runs a closure and expects that it throws a `DataStoreError` with the given code, whose description contains the
/// given texts. If `cause` is not `nil`, expects that the underlying error has this code.
@discardableResult
func expect(
    _ code: DataStoreError.Code, _ what: Comment, naming texts: [String] = [], cause: DataStoreError.Code? = nil,
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async -> DataStoreError? {
    let error = await #expect(throws: DataStoreError.self, what, sourceLocation: sourceLocation) { try await body() }
    guard let error else { return nil }
    #expect(error.code == code, what, sourceLocation: sourceLocation)
    for text in texts { #expect(error.description.contains(text), what, sourceLocation: sourceLocation) }
    guard let cause else { return error }
    #expect((error.underlying as? DataStoreError)?.code == cause, what, sourceLocation: sourceLocation)
    return error
}

/// Waits until a condition is met, and fails the test after a time that only a hang exceeds. It sleeps between two
/// looks: a loop that only yields keeps a starving machine from the work it waits for, and grows under the thread
/// sanitizer.
package func until(
    within limit: Duration = .seconds(300), sourceLocation: SourceLocation = #_sourceLocation,
    _ isMet: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
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
