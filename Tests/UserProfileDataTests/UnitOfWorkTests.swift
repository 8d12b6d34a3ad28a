import DataStoreCore
import DataTesting
import Synchronization
import Testing
import UserProfileData
import UserProfileDomain

/// Tests of changes of several repositories in one transaction, on every store.
@Suite struct UnitOfWorkTests {
    private struct Changed: Error, Equatable {}

    private let tokyo: CityCode
    private let osaka: CityCode

    init() throws {
        tokyo = try CityCode("130010")
        osaka = try CityCode("270000")
    }

    private func weather(_ city: CityCode, _ title: String) -> Weather {
        Weather(id: city, title: title, publishedAt: Instant(seconds: 1), description: nil, forecasts: [])
    }

    private func unit(_ store: any DataStore) throws -> DataStoreUnitOfWork {
        try DataStoreUnitOfWork(store: store, mappings: [UserMapping(), WeatherMapping(), NoteMapping()])
    }

    private func contents(_ store: any DataStore) async throws -> [Entry] {
        var entries: [Entry] = []
        for collection in ["users", "weather", "notes"] {
            let scan = try Scan(collection)
            entries += try await store.read { try $0.records(in: scan) }
        }
        return entries
    }

    private func fill(_ store: any DataStore) async throws {
        try await UserRepository(store).save(User(id: .me, birthday: try Birthday("2011-08-01")))
        let cities = try DataStoreRepository<WeatherMapping>(store)
        try await cities.save(weather(tokyo, "old"))
        // A field of a newer program, which must be preserved.
        try await store.put(["text": .string("old"), "colour": .string("red")], "notes", "1")
    }

    /// Returns a unit of work that deletes a user, replaces weather, adds and deletes entities, and changes an entity
    /// of the embedding program.
    private func work() -> @Sendable (any UnitOfWorkScope) throws -> Bool {
        let (new, other) = (weather(tokyo, "new"), weather(osaka, "other"))
        return { work in
            let cities = try work.repository(of: Weather.self)
            let existed = try work.repository(of: User.self).delete(.me)
            try cities.save(new)
            try cities.save(other)
            // The unit of work sees its own changes.
            guard try cities.find(other.id) == other else { throw Changed() }
            let notes = try work.repository(of: Note.self)
            try notes.save(Note(id: 1, text: (try notes.find(1)?.text ?? "") + " and new"))
            return existed
        }
    }

    @Test("All changes of a unit of work are saved", arguments: StoreLocation.Kind.allCases)
    func commit(_ kind: StoreLocation.Kind) async throws {
        let location = try StoreLocation(kind)
        let store = try location.open()
        try await fill(store)
        let generation = try await store.generation()
        let existed = try await unit(store).perform(work())
        #expect(existed)
        if kind != .plist {
            let after = try await store.generation()
            #expect(after == generation + 1)
        }
        // Reads the contents from disk if the store is persistent.
        if kind != .memory { await store.close() }
        let again = try location.open()
        let entries = try await contents(again)
        #expect(entries.map(\.key.id) == ["130010", "270000", "1"])
        #expect(entries[0].record["title"] == .string("new"))
        #expect(entries[2].record == ["text": .string("old and new"), "colour": .string("red")])
    }

    @Test("A unit of work finds its own changes", arguments: StoreLocation.Kind.allCases)
    func ownChanges(_ kind: StoreLocation.Kind) async throws {
        let store = try StoreLocation(kind).open()
        let (first, second) = (try Birthday("2011-08-01"), try Birthday("2012-08-01"))
        try await UserRepository(store).save(User(id: .me, birthday: first))
        let found = try await unit(store).perform { work in
            let users = try work.repository(of: User.self)
            let before = try users.find(Query(where: \.birthday == first)).entities
            for user in before { try users.save(User(id: user.id, birthday: second)) }
            try users.save(User(id: UserID("other"), birthday: first))
            let page = try users.find(Query(sort: [.descending(\.birthday)], limit: 1))
            let rest = try users.find(Query(sort: [.descending(\.birthday)], after: page.next))
            return [before, page.entities, rest.entities].map { $0.map(\.id.text) }
        }
        #expect(found == [["me"], ["me"], ["other"]])
    }

    @Test("A unit of work computes over its own changes", arguments: StoreLocation.Kind.allCases)
    func aggregates(_ kind: StoreLocation.Kind) async throws {
        let store = try StoreLocation(kind).open()
        let birthdays = try ["2011-08-01", "2012-08-01", "2011-08-01"].map { try Birthday($0) }
        let found = try await unit(store).perform { work in
            let users = try work.repository(of: User.self)
            for (number, birthday) in birthdays.enumerated() {
                try users.insert(User(id: UserID("\(number)"), birthday: birthday))
            }
            try users.insertIfAbsent(User(id: UserID("0")))
            try users.insertIfAbsent(User(id: UserID("3")))
            let counts = try users.counts(by: \.birthday)
            #expect(counts == [birthdays[0]: 2, birthdays[1]: 1, nil: 1])
            #expect(try users.max(of: \.birthday) == birthdays[1] && users.min(of: \.birthday) == birthdays[0])
            #expect(try users.list().count == 4 && users.first()?.id.text == "0" && users.exists(UserID("3")))
            #expect(try users.update(UserID("0")) { $0?.birthday } == birthdays[0])
            #expect(try users.updateAll { $0.birthday = nil } == 4)
            #expect(try !users.exists(where: \.birthday != nil))
            try users.delete(UserID("3"))
            return try users.count()
        }
        #expect(found == 3)
    }

    @Test("A snapshot is one state of all entities, and changes nothing", arguments: StoreLocation.Kind.allCases)
    func snapshot(_ kind: StoreLocation.Kind) async throws {
        let store = try StoreLocation(kind).open()
        let unit = try unit(store)
        let kept = ScopeHolder()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    try await unit.perform { work in
                        let notes = try work.repository(of: Note.self)
                        try notes.save(contentsOf: [1, 2].map { Note(id: $0, text: "\(number)") })
                    }
                }
                group.addTask {
                    let texts = try await unit.snapshot { snapshot in
                        let notes = try snapshot.repository(of: Note.self)
                        return [try notes.find(1)?.text, try notes.list().last?.text]
                    }
                    #expect(texts[0] == texts[1])
                }
            }
            try await group.waitForAll()
        }
        let generation = try await store.generation()
        try await unit.snapshot { snapshot in
            let notes = try snapshot.repository(of: Note.self)
            kept.action = { _ = try notes.find(1) }
            #expect(try notes.count() == 2)
        }
        let closed = #expect(throws: RepositoryError.self) { try kept.action?() }
        #expect(closed?.code == .programmingError)
        // Only a cast leads to the functions that write.
        let error = await #expect(throws: RepositoryError.self) {
            try await unit.snapshot { snapshot in
                try (snapshot as? any UnitOfWorkScope)?.repository(of: Note.self).deleteAll()
            }
        }
        #expect(error?.code == .programmingError)
        await #expect(throws: Changed()) { try await unit.snapshot { _ in throw Changed() } }
        #expect(try await store.generation() == generation)
    }

    @Test("A failed operation fails the unit of work, even if its closure catches the error")
    func caughtErrors() async throws {
        let store = MemoryDataStore()
        let unit = try unit(store)
        let error = await #expect(throws: RepositoryError.self) {
            try await unit.perform { work in
                let users = try work.repository(of: User.self)
                try users.insert(User(id: .me))
                _ = try? users.insert(User(id: .me))
            }
        }
        #expect(error?.code == .conflict)
        await #expect(throws: Changed()) {
            try await unit.perform { work in
                let users = try work.repository(of: User.self)
                try users.save(User(id: .me))
                _ = try? users.updateAll { _ in throw Changed() }
            }
        }
        #expect(try await UserRepository(store).count() == 0)
    }

    @Test("An error undoes all changes", arguments: StoreLocation.Kind.allCases)
    func thrownError(_ kind: StoreLocation.Kind) async throws {
        let location = try StoreLocation(kind)
        let store = try location.open()
        try await fill(store)
        let before = try await contents(store)
        let work = work()
        await #expect(throws: Changed()) {
            try await unit(store).perform { scope in
                _ = try work(scope)
                throw Changed()
            }
        }
        if kind != .memory { await store.close() }
        let after = try await contents(try location.open())
        #expect(after == before)
    }

    // `corrupted` is not among the codes, because removing a damaged record is not a failure.
    @Test(
        "A fault at any step undoes all changes", arguments: StoreLocation.Kind.allCases,
        [DataStoreError.Code.full, .busy, .inputOutput])
    func faults(_ kind: StoreLocation.Kind, _ code: DataStoreError.Code) async throws {
        let location = try StoreLocation(kind)
        let store = try location.open()
        try await fill(store)
        let before = try await contents(store)
        // Counts the steps in a unit of work that is rolled back.
        let counting = FaultInjectingStore(base: store, failingStep: -1, error: DataStoreError(code, "never"))
        let work = work()
        await #expect(throws: Changed()) {
            try await unit(counting).perform { scope in
                _ = try work(scope)
                throw Changed()
            }
        }
        let stepCount = counting.stepCount
        #expect(stepCount >= 9)

        for step in 0..<stepCount {
            let faulty = FaultInjectingStore(
                base: store, failingStep: step, error: DataStoreError(code, "step \(step)"))
            let error = await #expect(throws: RepositoryError.self) { try await unit(faulty).perform(work) }
            #expect((error?.underlying as? DataStoreError)?.code == code)
            // Also if the closure ignores the error.
            await #expect(throws: RepositoryError.self) {
                try await unit(faulty).perform { scope in
                    try? scope.repository(of: User.self).save(User(id: .me))
                    for city in City.all.prefix(step) {
                        _ = try? scope.repository(of: Weather.self).delete(city.code)
                    }
                    _ = try? scope.repository(of: Note.self).delete(1)
                    for _ in 0..<stepCount { _ = try? scope.repository(of: Note.self).find(1) }
                }
            }
            let after = try await contents(store)
            #expect(after == before, "step \(step)")
        }
        // Without a fault all changes are made.
        _ = try await unit(store).perform(work)
        if kind != .memory { await store.close() }
        let after = try await contents(try location.open())
        #expect(after != before)
    }

    @Test("No reader sees a part of the changes", arguments: StoreLocation.Kind.allCases)
    func isolation(_ kind: StoreLocation.Kind) async throws {
        let store = try StoreLocation(kind).open()
        let unit = try unit(store)
        // Both entities are changed together, back and forth; a concurrent reader sees them in the same state.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    try await unit.perform { work in
                        let notes = try work.repository(of: Note.self)
                        let text = try notes.find(1)?.text ?? ""
                        guard try notes.find(2)?.text ?? "" == text else { throw Changed() }
                        try notes.save(Note(id: 1, text: text + "\(number) "))
                        try notes.save(Note(id: 2, text: text + "\(number) "))
                    }
                }
            }
            try await group.waitForAll()
        }
        let notes = try DataStoreRepository(store: store, mapping: NoteMapping())
        let texts = try await notes.list().map(\.text)
        #expect(texts.count == 2 && texts.first == texts.last)
        #expect(texts.first?.split(separator: " ").compactMap { Int($0) }.sorted() == Array(0..<20))
    }

    @Test("An entity without a mapping is rejected")
    func missingMapping() async throws {
        let store = MemoryDataStore()
        let unit = try DataStoreUnitOfWork(store: store, mappings: [UserMapping()])
        let error = await #expect(throws: RepositoryError.self) {
            try await unit.perform { work in _ = try work.repository(of: Weather.self) }
        }
        #expect(error?.message.contains("Weather") == true)
    }

    @Test("Two mappings of one type are an error")
    func repeatedType() throws {
        struct OtherUserMapping: RecordMapping {
            let plain = UserMapping()
            let collection = "others"
            var fieldNames: [String] { plain.fieldNames }
            func text(of id: UserID) -> String { plain.text(of: id) }
            func id(of text: String) throws -> UserID { try plain.id(of: text) }
            func record(of user: User) -> Record { plain.record(of: user) }
            func entity(of record: borrowing RecordView, id: UserID) throws -> User {
                try plain.entity(of: record, id: id)
            }
        }
        let error = #expect(throws: DataStoreError.self) {
            try DataStoreUnitOfWork(store: MemoryDataStore(), mappings: [UserMapping(), OtherUserMapping()])
        }
        #expect(error?.code == .misuse && error?.reason.contains("others") == true)
    }

    @Test("A repository that is used after its unit of work is rejected")
    func escapedRepository() async throws {
        let unit = try unit(MemoryDataStore())
        let kept = ScopeHolder()
        try await unit.perform { work in
            let users = try work.repository(of: User.self)
            kept.action = { try users.save(User(id: .me)) }
        }
        let error = #expect(throws: RepositoryError.self) { try kept.action?() }
        #expect((error?.underlying as? DataStoreError)?.code == .closed)
    }

    /// An object that a closure illegally stores beyond its unit of work.
    private final class ScopeHolder: @unchecked Sendable {
        // Only one task uses it.
        var action: (() throws -> Void)?
    }
}
