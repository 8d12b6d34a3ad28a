import DataStoreCore
import DataStoreTesting
import Foundation
import Observation
import Synchronization
import Testing

@testable import UserProfileKit

/// Tests of the models that follow queries, entities, settings and snapshots.
@Suite(.timeLimit(.minutes(5))) @MainActor struct LiveModelTests {
    static let notes = EntityType(Note.self, in: "notes", indexes: [.on(\.group)])

    private let store = ObservedStore()
    private let storage: UserProfileStorage
    private let notes: any Repository<Note>

    init() throws {
        storage = try UserProfileStorage(store: store, entities: [Self.notes])
        notes = try storage.repository(of: Note.self)
    }

    @Test("A query follows changes, and can be changed")
    func query() async throws {
        try await notes.save(contentsOf: [Note(id: "a", group: 1), Note(id: "b", group: 2)])
        let model = LiveQuery(Query(where: \.group == 1), in: notes)
        #expect(model.phase.isLoading && model.entities.isEmpty)
        try await until { model.entities.map(\.id) == ["a"] }
        #expect(model.phase.isCurrent)
        try await notes.save(Note(id: "c", group: 1))
        try await until { model.entities.map(\.id) == ["a", "c"] }
        model.query = Query(where: \.group == 2)
        #expect(model.phase.isLoading && model.entities.map(\.id) == ["a", "c"], "the old list stays until then")
        try await until { model.entities.map(\.id) == ["b"] && model.phase.isCurrent }
        // The old query is not observed any more.
        try await notes.save(Note(id: "d", group: 1))
        try await notes.save(Note(id: "e", group: 2))
        try await until { model.entities.map(\.id) == ["b", "e"] }
    }

    @Test("An entity, a setting and a count follow changes")
    func values() async throws {
        let theme = Field("theme", default: "light")
        let settings = try storage.settings()
        let me = LiveEntity(.me, in: storage.users)
        let setting = LiveSetting(theme, in: settings)
        let count = LiveValue(
            -1,
            storage.updates { snapshot in
                try snapshot.repository(of: Note.self).count() + snapshot.repository(of: User.self).count()
            })
        try await until { me.phase.isCurrent && setting.phase.isCurrent && count.value == 0 }
        #expect(me.value == nil && setting.value == "light")
        try await storage.profiles.saveMailAddress(MailAddress("a@example.com"))
        try await settings.set("dark", for: theme)
        try await until {
            me.value?.mailAddress?.text == "a@example.com" && setting.value == "dark" && count.value == 1
        }
        try await notes.save(Note(id: "a", group: 1))
        try await until { count.value == 2 }
    }

    @Test("A snapshot is observed from the first change to a type that only a later result reads")
    func growingSnapshot() async throws {
        let count = LiveValue(
            -1,
            storage.updates { snapshot in
                guard try snapshot.repository(of: User.self).exists(.me) else { return 0 }
                return try snapshot.repository(of: Note.self).count() + 1
            })
        try await until { count.value == 0 }
        try await storage.profiles.saveMailAddress(nil)
        try await until { count.value == 1 }
        try await notes.save(Note(id: "a", group: 1))
        try await until { count.value == 2 }
    }

    @Test("A failed read keeps the value, and the model recovers")
    func failure() async throws {
        try await notes.save(Note(id: "a", group: 1))
        let model = LiveQuery(in: notes)
        try await until { model.entities.count == 1 }
        let key = try Key(collection: "notes", id: "b")
        try await storage.records.write { try $0.put(["id": .string("b"), "group": .string("wrong")], for: key) }
        try await until { model.phase.error != nil }
        #expect(model.phase.error?.code == .corrupted)
        #expect(model.entities.count == 1)
        try await storage.records.write { try $0.put(["id": .string("b"), "group": .integer(1)], for: key) }
        try await until { model.phase.isCurrent }
        #expect(model.entities.count == 2)
    }

    @Test("A failure that passes by itself is retried")
    func passingFailure() async throws {
        let model = LiveQuery(in: notes)
        try await until { model.phase.isCurrent }
        store.failNextRead(with: DataStoreError(.busy, "another program holds the lock"))
        try await notes.save(Note(id: "a", group: 1))
        try await until { if case .failed(_, isRetrying: true) = model.phase { true } else { false } }
        try await until { model.entities.count == 1 && model.phase.isCurrent }
    }

    @Test("An invalid query fails, and a restart reads again")
    func invalidQuery() async throws {
        let model = LiveQuery(Query(where: Filter(.exists("unknown"))), in: notes)
        try await until { model.phase.error != nil }
        model.query = Query()
        try await until { model.phase.isCurrent }
        model.restart()
        #expect(model.phase.isLoading)
        try await until { model.phase.isCurrent }
    }

    @Test("A model of a closed store fails")
    func closed() async throws {
        await storage.close()
        let model = LiveQuery(in: notes)
        try await until { model.phase.error?.code == .programmingError }
    }

    @Test("A released model stops observing")
    func lifetime() async throws {
        try await notes.save(Note(id: "a", group: 1))
        var models = (0..<100).map { LiveQuery(Query(where: \.group == $0 % 3), in: notes) }
        weak let first = models.first
        try await until { models.allSatisfy(\.phase.isCurrent) }
        #expect(store.observationCount == 100)
        models.removeAll()
        #expect(first == nil)
        try await until { store.observationCount == 0 }
        // A model that never had time to read leaves nothing, too.
        for _ in 0..<100 { _ = LiveEntity("a", in: notes) }
        try await until { store.observationCount == 0 }
    }

    @Test("A list, an entity and a count learn of an expiry at its time")
    func expiry() async throws {
        let now = Mutex(Instant(seconds: 1000))
        let storage = try await UserProfileStorage.open(
            .memory, entities: [EntityType(Hold.self, in: "holds", expiresAt: \.endsAt)], now: { now.withLock(\.self) })
        let holds = try storage.repository(of: Hold.self)
        try await holds.save(Hold(id: "a", endsAt: Date(timeIntervalSince1970: 1000.002)))
        try await holds.save(Hold(id: "b", endsAt: Date(timeIntervalSince1970: 1000.004)))
        try await holds.save(Hold(id: "c", endsAt: nil))
        let list = LiveQuery(in: holds)
        let first = LiveEntity("a", in: holds)
        let count = LiveValue(0, storage.updates { try $0.repository(of: Hold.self).count() })
        try await until { list.entities.map(\.id) == ["a", "b", "c"] && first.value != nil && count.value == 3 }
        now.withLock { $0 = $0.advanced(by: .milliseconds(3)) }
        try await until { list.entities.map(\.id) == ["b", "c"] && first.value == nil && count.value == 2 }
        now.withLock { $0 = $0.advanced(by: .milliseconds(3)) }
        try await until { list.entities.map(\.id) == ["c"] && count.value == 1 }
        await storage.close()
    }

    @Test("A sum follows changes of its entities")
    func sum() async throws {
        let sum = LiveValue(0, storage.updates { try $0.repository(of: Note.self).sum(of: \.group) })
        try await notes.save(contentsOf: [Note(id: "a", group: 20), Note(id: "b", group: 22)])
        try await until { sum.value == 42 }
    }

    /// The main actor waits in a blocking call until the model has read. A read on the main actor would never begin.
    @Test("A model reads while the main actor is blocked")
    func reading() async throws {
        let began = DispatchSemaphore(value: 0)
        let count = LiveValue(
            0,
            storage.updates { snapshot in
                began.signal()
                return try snapshot.repository(of: Note.self).count()
            })
        #expect(began.isSignaled())
        try await until { count.phase.isCurrent }
        while began.wait(timeout: .now()) == .success {}
        async let saved: Void = notes.save(Note(id: "a", group: 1))
        try await saved
        #expect(began.isSignaled())
        try await until { count.value == 1 }
        withExtendedLifetime(count) {}
    }

    @Test("A sequence that the main actor iterates does not read on the main thread")
    func sequence() async throws {
        let isMain = Mutex<[Bool]>([])
        let counts = storage.updates { snapshot in
            isMain.withLock { $0.append(Thread.isMainThread) }
            return try snapshot.repository(of: Note.self).count()
        }
        var iterator = counts.makeAsyncIterator()
        #expect(try await iterator.next() == 0)
        try await notes.save(Note(id: "a", group: 1))
        #expect(try await iterator.next() == 1)
        #expect(isMain.withLock { !$0.isEmpty && !$0.contains(true) })
    }

    @Test("200 models do not run their query after 50 saves of entities that do not match")
    func otherEntities() async throws {
        let reads = LongReads(count: 60)
        let store = ObservedDataStore(base: MemoryDataStore(), logger: nil, observers: [reads])
        let storage = try UserProfileStorage(store: store, entities: [Self.notes])
        let notes = try storage.repository(of: Note.self)
        try await notes.save(contentsOf: (0..<60).map { Note(id: "\($0)", group: 1) })
        let models = (0..<200).map { _ in LiveQuery(Query(where: \.group == 1), in: notes) }
        try await until { models.allSatisfy { $0.entities.count == 60 } }
        let changes = models.map { ChangeCount($0) }
        #expect(reads.take() == 200)
        for number in 0..<50 { try await notes.save(Note(id: "other\(number)", group: 2)) }
        // This one matches.
        try await notes.save(Note(id: "z", group: 1))
        try await until { models.allSatisfy { $0.entities.count == 61 } && changes.allSatisfy { $0.count > 0 } }
        #expect(reads.take() == 200)
        #expect(changes.allSatisfy { $0.count == 1 })
    }

    @Test("While the main actor is busy, changes are merged")
    func coalescing() async throws {
        let model = LiveQuery(in: notes)
        try await until { model.phase.isCurrent }
        let changes = ChangeCount(model)
        // The main actor waits for the writes, so it cannot apply a result before the last one.
        let done = DispatchSemaphore(value: 0)
        Task.detached { [notes] in
            for number in 0..<200 { try await notes.save(Note(id: "\(number)", group: 1)) }
            done.signal()
        }
        #expect(done.isSignaled())
        try await until { model.entities.count == 200 && changes.count > 0 }
        #expect(changes.count <= 3)
    }
}

extension LiveModelTests {
    struct Note: Codable, Identifiable, Hashable, Sendable, Queryable {
        let id: String
        var group: Int

        static let fields = EntityFields(of: Note.self)
    }

    struct Hold: Codable, Identifiable, Sendable {
        let id: String
        var endsAt: Date?
    }
}

/// The number of read transactions that read many notes, such as a run of a query.
private final class LongReads: TransactionObserver {
    let isMeasuring = true
    private let minimum: Int
    private let number = Atomic(0)

    init(count: Int) { minimum = count }

    func didEnd(_ report: TransactionReport) {
        guard report.operation == .read, report.recordCounts["notes", default: 0] >= minimum else { return }
        number.add(1, ordering: .relaxed)
    }

    /// Returns the number since the last call.
    func take() -> Int { number.exchange(0, ordering: .relaxed) }
}

/// The number of changes of the value of a model.
@MainActor private final class ChangeCount {
    private(set) var count = 0

    init(_ model: LiveQuery<LiveModelTests.Note>) { track(model) }

    private func track(_ model: LiveQuery<LiveModelTests.Note>) {
        withObservationTracking {
            _ = model.value
        } onChange: {
            Task { @MainActor in
                self.count += 1
                self.track(model)
            }
        }
    }
}

extension LivePhase {
    var isLoading: Bool { if case .loading = self { true } else { false } }
    var isCurrent: Bool { if case .current = self { true } else { false } }
}

extension DispatchSemaphore {
    /// Blocks the thread until the semaphore is signaled, or a minute has passed.
    func isSignaled() -> Bool { wait(timeout: .now() + 60) == .success }
}

/// A store in memory that counts its observations, and whose next read can be made to fail.
private final class ObservedStore: DataStore {
    private let store = MemoryDataStore()
    private let failure = Mutex<DataStoreError?>(nil)
    private let count = Atomic(0)

    var observationCount: Int { count.load(ordering: .relaxed) }

    func failNextRead(with error: DataStoreError) { failure.withLock { $0 = error } }

    func read<Result: Sendable>(_ body: @Sendable (borrowing ReadTransaction) throws -> Result) async throws -> Result {
        if let error = failure.withLock({ $0.take() }) { throw error }
        return try store.read(body)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        try await store.write(body)
    }

    func generation() async throws -> UInt64 { try store.generation() }

    func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable (ChangedKeys) -> Void
    ) async throws(DataStoreError) -> ChangeObservation {
        let observation = try await store.observe(scope, wake)
        count.add(1, ordering: .relaxed)
        return ChangeObservation { [self] in
            withExtendedLifetime(observation) {}
            count.subtract(1, ordering: .relaxed)
        }
    }

    func close() async { await store.close() }
}
