import DataStoreCore
import DataStoreQueries
import DataTesting
import Foundation
import RecordCoding
import Testing
import UserProfileData
import UserProfileDomain

/// Tests of entities without mapping code, on every store.
@Suite struct CodableMappingTests {
    struct Task: Codable, Identifiable, Hashable, Sendable, Queryable {
        enum Priority: Int, Codable, FieldContent { case low, high }
        struct Step: Codable, Hashable, Sendable, Queryable {
            var text: String
            var isDone = false

            struct Fields: Sendable {
                let text = EntityField<Step, String>("text")
                let isDone = EntityField<Step, Bool>("isDone")
            }
            static let fields = Fields()
        }

        let id: Int
        var title: String
        var due: Date?
        var priority = Priority.low
        var owner: MailAddress?
        var steps: [Step] = []
        var tags: [String] = []

        struct Fields: Sendable {
            let id = EntityField<Task, Int>("id")
            let title = EntityField<Task, String>("title")
            let due = EntityField<Task, Date>("due")
            let priority = EntityField<Task, Priority>("priority")
            let owner = EntityField<Task, MailAddress>("owner")
            let tag = EntityField<Task, String>("tag")
            let steps = EntityParts<Task, Step>("steps")
        }
        static let fields = Fields()
    }

    private typealias Tasks = DataStoreRepository<CodableMapping<Task>>

    private let mapping = CodableMapping<Task>(
        in: "tasks", queryFields: ["tag": FieldMapping(.elements(of: "tags"))])

    private func tasks(_ store: any DataStore) throws -> Tasks { try Tasks(store: store, mapping: mapping) }

    private func task(_ id: Int, _ title: String = "") -> Task { Task(id: id, title: title) }

    @Test("A repository of a Codable type saves, finds and removes entities", arguments: StoreLocation.Kind.allCases)
    func repository(_ kind: StoreLocation.Kind) async throws {
        let location = try StoreLocation(kind)
        let store = try location.open()
        let tasks = try tasks(store)
        var milk = task(7, "milk")
        milk.due = Date(timeIntervalSince1970: 1_000.25)
        milk.steps = [Task.Step(text: "go"), Task.Step(text: "buy", isDone: true)]
        try await tasks.save(milk)
        try await tasks.save(task(10))
        try await tasks.update(10) { task in task?.title = "bread" }
        try await tasks.update(11) { task in task = Task(id: 11, title: "new") }
        if kind != .memory { await store.close() }
        let again = try self.tasks(try location.open())
        #expect(try await again.find(7) == milk)
        #expect(try await again.list() == [milk, task(10, "bread"), task(11, "new")])
        #expect(try await again.list(after: 10, limit: 1) == [task(11, "new")])
        #expect(try await again.delete(7))
        #expect(try await again.deleteAll { $0.title == "new" } == 1)
        #expect(try await again.find(7) == nil)
        #expect(try await again.deleteAll() == 1)
    }

    @Test("Fields of a newer program are kept", arguments: StoreLocation.Kind.allCases)
    func unknownFields(_ kind: StoreLocation.Kind) async throws {
        let store = try StoreLocation(kind).open()
        let tasks = try tasks(store)
        var task = task(1)
        task.due = Date(timeIntervalSince1970: 0)
        try await tasks.save(task)
        var record = try #require(try await store.record("tasks", "1"))
        record["colour"] = .string("red")
        try await store.put(record, "tasks", "1")
        // A property that becomes `nil` is removed from the record; fields that the type does not know are preserved.
        try await tasks.update(1) { task in task?.due = nil }
        let after = try #require(try await store.record("tasks", "1"))
        #expect(after["due"] == nil && after["colour"] == .string("red"))
        try await tasks.save(task)
        #expect(try await store.record("tasks", "1") == record)
    }

    @Test("Entities are found by declared fields", arguments: StoreLocation.Kind.allCases)
    func declaredFields(_ kind: StoreLocation.Kind) async throws {
        let tasks = try tasks(StoreLocation(kind).open())
        let day = Date(timeIntervalSince1970: 86_400)
        for id in 1...12 {
            var task = task(id, id.isMultiple(of: 2) ? "even" : "odd")
            task.due = id < 4 ? nil : day.addingTimeInterval(Double(id))
            task.priority = id > 9 ? .high : .low
            task.owner = id == 5 ? try MailAddress("vision@example.com") : nil
            task.tags = id > 10 ? ["a", "b"] : []
            task.steps = id == 3 ? [Task.Step(text: "x"), Task.Step(text: "y", isDone: true)] : []
            try await tasks.save(task)
        }
        func ids(_ filter: Filter<Task>, _ sort: [Sort<Task>] = []) async throws -> [Int] {
            try await tasks.find(Query(where: filter, sort: sort)).entities.map(\.id)
        }
        #expect(try await ids(\.title == "even" && \.id < 6) == [2, 4])
        #expect(try await ids(\.due > day.addingTimeInterval(10)) == [11, 12])
        #expect(try await ids(!.exists(\.due), [.descending(\.id)]) == [3, 2, 1])
        #expect(try await ids(\.priority == .high, [.ascending(\.id)]) == [10, 11, 12])
        #expect(try await ids(\.owner == MailAddress("vision@EXAMPLE.com")) == [5])
        #expect(try await ids(\.tag == "b") == [11, 12])
        #expect(try await ids(.any(\.steps, \.text == "y" && \.isDone == true)) == [3])
        #expect(try await ids(.any(\.steps, \.text == "x" && \.isDone == true)) == [])
        // Pages in the order of a date.
        let first = try await tasks.find(Query(sort: [.descending(\.due)], limit: 2))
        let second = try await tasks.find(Query(sort: [.descending(\.due)], limit: 2, after: first.next))
        #expect((first.entities + second.entities).map(\.id) == [12, 11, 10, 9])
    }

    @Test("Entities are found by declared indexes", arguments: StoreLocation.Kind.allCases)
    func declaredIndexes(_ kind: StoreLocation.Kind) async throws {
        let store = try StoreLocation(kind).open()
        let mapping = CodableMapping<Task>(
            in: "tasks", queryFields: ["tag": FieldMapping(.elements(of: "tags"))],
            indexes: [.on("due"), .on("owner"), .unique("title")])
        #expect(mapping.indexes.map(\.name) == ["due", "owner-key", "title", "id"])
        let tasks = try Tasks(store: store, mapping: mapping)
        for id in 1...20 {
            var task = task(id, "task \(id)")
            task.due = Date(timeIntervalSince1970: Double(id) * 3600)
            task.owner = try MailAddress("owner.\(id % 4)@example.com")
            try await tasks.save(task)
        }
        let last = try await tasks.explain(Query(sort: [.descending(\.due)], limit: 2))
        #expect(last.index == "due" && last.isInOrder && last.entryCount == 3)
        let owned = Query<Task>(where: try \.owner == MailAddress("owner.3@EXAMPLE.com"))
        #expect(try await tasks.explain(owned).entryCount == 5)
        #expect(try await tasks.find(owned).entities.map(\.id) == [3, 7, 11, 15, 19])
        let error = await #expect(throws: RepositoryError.self) { try await tasks.save(task(21, "task 20")) }
        #expect(error?.code == .conflict && error?.message.contains("tasks/20") == true)
        #expect(try await tasks.find(21) == nil)
    }

    @Test("A decoding error names the coding path and keeps the cause")
    func errorPath() async throws {
        let store = MemoryDataStore()
        let tasks = try tasks(store)
        try await tasks.save(task(1))
        try await store.put(["id": .integer(1), "title": .string(""), "priority": .integer(9)], "tasks", "1")
        let error = await #expect(throws: RepositoryError.self) { try await tasks.find(1) }
        #expect(error?.code == .corrupted)
        #expect(error?.message.contains("(key tasks/1)") == true && error?.message.contains("priority") == true)
        #expect(error?.causes.last is DecodingError)
        // An update does not overwrite a record that cannot be decoded.
        await #expect(throws: RepositoryError.self) { try await tasks.update(1) { _ in } }
    }

    struct Thing<ID: Codable & Hashable & Sendable>: Codable, Identifiable, Sendable {
        let id: ID
    }

    struct Slug: RawRepresentable, Codable, Hashable, Sendable {
        let rawValue: String
    }

    private func idsComeBack<ID: Codable & Hashable & Sendable>(_ ids: [ID], _ texts: [String]) async throws {
        let store = MemoryDataStore()
        let things = try DataStoreRepository(store: store, mapping: CodableMapping(Thing<ID>.self, in: "things"))
        for id in ids { try await things.save(Thing(id: id)) }
        for (id, text) in zip(ids, texts) {
            #expect(try await things.find(id)?.id == id)
            #expect(try await store.record("things", text) != nil)
        }
        #expect(try await Set(things.list().map(\.id)) == Set(ids))
    }

    @Test("Ids of several types are keys")
    func ids() async throws {
        try await idsComeBack(["a", "7", "é"], ["a", "7", "é"])
        try await idsComeBack([1, -5, .max], ["1", "-5", "9223372036854775807"])
        try await idsComeBack([UInt64.max, 3], ["18446744073709551615", "3"])
        let id = UUID()
        try await idsComeBack([id], [id.uuidString])
        try await idsComeBack([Slug(rawValue: "a"), Slug(rawValue: "12")], ["a", "12"])
        try await idsComeBack([try UserID("me")], ["me"])
    }

    struct Pair: Codable, Hashable, Sendable {
        var left = 1
        var right = 2
    }

    /// An entity that can encode another id than its own.
    struct Mislabeled: Codable, Identifiable, Sendable {
        enum CodingKeys: String, CodingKey { case id, number }

        let id: Int
        var written: Int?
        var key = CodingKeys.id

        init(id: Int, written: Int?, key: CodingKeys = .id) { (self.id, self.written, self.key) = (id, written, key) }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            id = try fields.decodeIfPresent(Int.self, forKey: .id) ?? fields.decode(Int.self, forKey: .number)
        }

        func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: CodingKeys.self)
            try fields.encodeIfPresent(written, forKey: key)
        }
    }

    @Test("An entity that encodes another id than its own is rejected, and the others stay readable")
    func otherID() async throws {
        let store = MemoryDataStore()
        let repository = try DataStoreRepository(store: store, mapping: CodableMapping<Mislabeled>(in: "c"))
        try await repository.save(Mislabeled(id: 1, written: 1))
        try await repository.save(Mislabeled(id: 2, written: 2, key: .number))
        for entity in [
            Mislabeled(id: 3, written: 4), Mislabeled(id: 3, written: nil), Mislabeled(id: 3, written: 4, key: .number),
        ] {
            let error = await #expect(throws: RepositoryError.self) { try await repository.save(entity) }
            #expect((error?.underlying as? DataStoreError)?.code == .invalidRecord)
        }
        #expect(try await Set(repository.list().map(\.id)) == [1, 2])
    }

    @Test("An id that is empty or not a text is rejected")
    func invalidIDs() async throws {
        let pairs = try DataStoreRepository(
            store: MemoryDataStore(), mapping: CodableMapping(Thing<Pair>.self, in: "things"))
        let error = await #expect(throws: RepositoryError.self) { try await pairs.save(Thing(id: Pair())) }
        #expect(error?.message.contains("Pair") == true && error?.message.contains("RecordMapping") == true)
        let empty = try DataStoreRepository(
            store: MemoryDataStore(), mapping: CodableMapping(Thing<String>.self, in: "things"))
        await #expect(throws: RepositoryError.self) { try await empty.save(Thing(id: "")) }
    }

    /// An entity that does not encode its id.
    struct Forgetful: Codable, Identifiable, Sendable {
        var id = 1
        private enum CodingKeys: CodingKey {}
    }

    @Test("A record under the key of another id is an error")
    func wrongKey() async throws {
        let store = MemoryDataStore()
        let tasks = try tasks(store)
        for (key, id) in [("2", Int64(1)), ("02", 2)] {
            var record = try CodableMapping<Task>(in: "tasks").record(of: task(2))
            record["id"] = .integer(id)
            try await store.put(record, "tasks", key)
            let error = await #expect(throws: RepositoryError.self) { try await tasks.list() }
            #expect(error?.code == .corrupted && error?.message.contains("the field id is") == true)
            try await tasks.deleteAll()
        }
        let forgetful = try DataStoreRepository(store: store, mapping: CodableMapping(Forgetful.self, in: "f"))
        let error = await #expect(throws: RepositoryError.self) { try await forgetful.save(Forgetful(id: 5)) }
        #expect(error?.message.contains("encode the id") == true)
    }

    @Test("A Codable type takes part in a unit of work", arguments: StoreLocation.Kind.allCases)
    func unitOfWork(_ kind: StoreLocation.Kind) async throws {
        let store = try StoreLocation(kind).open()
        let unit = try DataStoreUnitOfWork(store: store, mappings: [UserMapping(), mapping])
        try await unit.perform { work in
            try work.repository(of: Task.self).save(Task(id: 1, title: "both"))
            try work.repository(of: User.self).save(User(id: .me))
        }
        #expect(try await tasks(store).find(1)?.title == "both")
    }
}
