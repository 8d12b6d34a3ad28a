#if Sealing
import DataStoreCore
import DataStoreQueries
import Foundation
import RecordCoding
import Testing
import TestScale
import TortureKit
import UserProfileData
import UserProfileDomain
import UserProfileKit
import UserProfileSealing

/// Tests of sealed fields in processes that are killed, or that use one store at the same time.
@Suite struct SealedTortureTests {
    /// As in the program `store-torture`.
    private struct Note: Codable, Identifiable, Hashable, Sendable, Queryable {
        let id: String
        var title: String
        var n: Int

        static let fields = EntityFields(of: Note.self)
    }

    private let directory: TemporaryDirectory
    private let key: String

    init() throws {
        directory = try TemporaryDirectory()
        key = directory.path("key")
        try SealingKey.random(number: 1).write(toNewFileAt: key)
    }

    private var path: String { directory.path("store") }

    private func withNotes<Result>(
        _ body: (UserProfileStorage, any Repository<Note>) async throws -> Result
    ) async throws -> Result {
        let entity = EntityType(Note.self, in: "notes", indexes: [.unique("title")], sealing: [.searchable("title")])
        return try await UserProfileStorage.open(
            .lmdb(path), entities: [entity], keys: .source(.file(key))
        ).closing { storage in try await body(storage, storage.repository(of: Note.self)) }
    }

    private func keyNumbers() async throws -> Set<UInt32> {
        try await withNotes { storage, _ in
            let titles = try await storage.records.read { transaction in
                try transaction.records(in: Scan("notes")).map { $0.record["title"] }
            }
            return try titles.reduce(into: []) { numbers, title in
                guard case .sealed(let bytes)? = title else { return }
                numbers.insert(try SealedValue(bytes).keyNumber)
            }
        }
    }

    @Test("After a kill during a reseal, all values are read, found and unique, and the next call continues")
    func kills() async throws {
        let notes = (0..<300).map { Note(id: "\($0)", title: "title \($0)", n: $0) }
        try await withNotes { try await $1.save(contentsOf: notes) }
        var halfwayCount = 0
        for round in 0..<TestScale.count(6, full: 200) {
            // Every third run renews the blind key, too, in one transaction.
            let options = round % 3 == 2 ? ["blind"] : []
            let lineCount = options.isEmpty ? Int.random(in: 1...14) : 1
            let outcome = try await TortureProgram.run(["seal", path, key, "reseal"] + options) { session in
                for _ in 0..<lineCount { _ = try await session.line() }
                session.kill()
            }
            #expect(outcome.wasKilled || outcome.isDone, "\(outcome)")
            if try await keyNumbers().count > 1 { halfwayCount += 1 }
            try await withNotes { storage, repository in
                let note = try #require(notes.randomElement())
                let found = try await repository.list(after: nil, limit: nil)
                #expect(found.count == notes.count && Set(found) == Set(notes))
                let page = try await repository.find(Query(where: \.title == note.title)).entities
                #expect(page == [note])
                let error = await #expect(throws: RepositoryError.self) {
                    try await repository.save(Note(id: "copy", title: note.title, n: 0))
                }
                #expect((error?.underlying as? DataStoreError)?.code == .notUnique)
            }
        }
        #expect(halfwayCount > 0)
        let outcome = try await TortureProgram.run(["seal", path, key, "reseal"])
        #expect(outcome.isDone, "\(outcome)")
        #expect(try await keyNumbers().count == 1)
        try await withNotes { storage, _ in
            #expect(try await storage.records.verifySealedFields(with: .file(key)).isEmpty)
            let reports = try await storage.records.checkIndexes()
            #expect(reports.filter { !$0.matchesRecords }.isEmpty)
        }
    }

    @Test("Eight processes, two of them without the key, accept no duplicate and lose nothing during a reseal")
    func processes() async throws {
        try await withNotes { _, notes in try await notes.save(Note(id: "first", title: "first", n: 0)) }
        let count = TestScale.count(12, full: 200)
        let commands =
            (0..<5).map { [key, "save", "\($0)", "\(count)"] } + [[key, "reseal"]]
            + (0..<2).map { _ in ["-", "count", "\(count)"] }
        let outcomes = try await withThrowingTaskGroup(of: TortureProgram.Outcome.self) { [path] group in
            for command in commands {
                group.addTask { try await TortureProgram.run(["seal", path] + command) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for outcome in outcomes { #expect(outcome.isDone && outcome.lines("failed").isEmpty, "\(outcome)") }
        let titles = (0..<count).flatMap { number in
            ["contested-\(number)"] + (0..<5).map { "own-\($0)-\(number)" }
        }
        let won = outcomes.flatMap { $0.lines("won") }
        #expect(won.sorted() == titles.sorted())
        #expect(outcomes.flatMap { $0.lines("lost") }.count == count * 4)
        try await withNotes { storage, repository in
            let notes = try await repository.list(after: nil, limit: nil)
            #expect(notes.map(\.title).sorted() == (titles + ["first"]).sorted())
            #expect(notes.reduce(0) { $0 + $1.n } == 2 * count)
            #expect(try await storage.records.verifySealedFields(with: .file(key)).isEmpty)
            let reports = try await storage.records.checkIndexes()
            #expect(reports.filter { !$0.matchesRecords }.isEmpty)
        }
    }
}
#endif
