import Foundation
import Testing
import UserProfileKit

@testable import Studio

/// The pages of the store and its records without a server.
@Suite struct StorePageTests {
    private static let frame = Frame(store: "lmdb:", isWritable: false)

    private struct Trip: Codable, Identifiable {
        let id: String
        var title: String
        var stops: [String]
        var length: Double
        var photo: Data
    }

    private static func page(_ storage: UserProfileStorage, _ location: StorageLocation) async -> StorePage {
        await StorePage(
            Form(), in: storage, at: location, counts: RecordCounts(storage), check: .idle, frame: frame)
    }

    private func withStore(
        _ scheme: String, _ body: (UserProfileStorage, StorageLocation) async throws -> Void
    ) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "studio-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let location = try StorageLocation("\(scheme):\(directory.appending(path: "store").path)")
        let storage = try await UserProfileStorage.open(
            location, entities: [EntityType(Trip.self, in: "trips", indexes: [.unique("title"), .on("length")])],
            migrations: [.backfill("2026-11 add length", of: "trips", "length", with: .real(0))])
        for number in 0..<120 {
            try await storage.users.save(User(id: try UserID("user-\(number + 100)")))
        }
        try await storage.repository(of: Trip.self).save(
            Trip(
                id: "1", title: "a\u{202E}b", stops: ["x", "y"], length: 1.5,
                photo: Data(repeating: 255, count: 100)))
        try await storage.settings().set(3, for: Field("launches", default: 0))
        try await body(storage, location)
        await storage.close()
    }

    @Test("The page shows the file, the collections and the indexes", arguments: ["lmdb", "plist"])
    func contents(_ scheme: String) async throws {
        try await withStore(scheme) { storage, location in
            let page = await Self.page(storage, location)
            #expect(page.kind == scheme && page.problem == nil)
            #expect(page.file?.hasPrefix(location.address) == true && page.format?.isEmpty == false)
            #expect(page.size != nil)
            let counts = Dictionary(uniqueKeysWithValues: page.collections.map { ($0.name, $0.count) })
            #expect(counts["users"] == "120" && counts["trips"] == "1")
            let trips = try #require(page.collections.first { $0.name == "trips" })
            #expect(trips.indexes.contains { $0.name == "title" && $0.isUnique && $0.state == "ready" })
            #expect(
                trips.sample.fields.dropFirst() == [
                    FieldSample.Field(name: "length", kinds: "real"), FieldSample.Field(name: "photo", kinds: "data"),
                    FieldSample.Field(name: "stops", kinds: "array"), FieldSample.Field(name: "title", kinds: "string"),
                ])
            #expect(page.migrations.map(\.name) == ["2026-11 add length"] && page.hasMigrations)
            #expect(page.migrations.first?.state.hasPrefix("applied") == true)
        }
    }

    @Test("The page shows all kinds of a field")
    func schema() async throws {
        try await withStore("lmdb") { storage, location in
            try await storage.records.write { transaction in
                try transaction.put(["title": .integer(1)], for: Key(collection: "trips", id: "2"))
            }
            let page = await Self.page(storage, location)
            let trips = try #require(page.collections.first { $0.name == "trips" })
            #expect(trips.sample.fields.last == FieldSample.Field(name: "title", kinds: "integer or string"))
        }
    }

    @Test("The page does not wait for the count of a large collection, and shows it when it is known")
    func slowCount() async throws {
        let store = HookedStore(MemoryDataStore())
        let storage = try UserProfileStorage(store: store)
        try await storage.records.write { transaction in
            try transaction.put(["a": .integer(1)], for: Key(collection: "large", id: "1"))
        }
        let (counts, large) = (RecordCounts(storage), RecordCounts.Subject(collection: "large"))
        let gate = DispatchSemaphore(value: 0)
        store.pauseReads {
            gate.wait()
            gate.signal()
        }
        let start = ContinuousClock.now
        #expect(try await counts.counts([large]).isEmpty)
        #expect(ContinuousClock.now - start < .seconds(5))
        gate.signal()
        store.pauseReads(by: nil)
        let known = try await counts.count(large, within: .seconds(60))
        #expect(known == RecordCounts.Count(number: 1, isCurrent: true))
        await storage.close()
    }

    @Test("The page states that a store in memory has no file")
    func memory() async throws {
        try await UserProfileStorage.open(.memory).closing { storage in
            let page = await Self.page(storage, .memory)
            #expect(page.problem == nil && page.file == nil && page.size == nil)
        }
    }

    @Test("The page explains a query, and marks the mistake in an invalid one")
    func explanation() async throws {
        try await withStore("lmdb") { storage, _ in
            let valid = await ExplanationView(Form(encoded: "where=id+%3D+user-100"), users: storage.users)
            #expect(valid.text?.hasPrefix("found 1 ") == true && valid.error == nil)
            let invalid = await ExplanationView(Form(encoded: "where=id+%3D"), users: storage.users)
            #expect(invalid.text == nil && invalid.error?.excerpt.hasSuffix("^") == true)
            let none = await ExplanationView(Form(), users: storage.users)
            #expect(none.text == nil && none.error == nil)
        }
    }

    @Test("The records of each collection are listed page by page")
    func records() async throws {
        try await withStore("lmdb") { storage, _ in
            var (address, ids): (String?, [String]) = (RecordsAddress("users").text, [])
            while let current = address {
                let form = Form(encoded: current.split(separator: "?")[1])
                let page = try await RecordsPage(RecordsAddress(form), in: storage, frame: Self.frame)
                #expect(page.isFirst == ids.isEmpty && page.rows.count <= RecordsPage.pageSize)
                ids += page.rows.map(\.id)
                address = page.nextAddress
            }
            #expect(ids == (100..<220).map { "user-\($0)" })
            let trips = try await RecordsPage(RecordsAddress("trips"), in: storage, frame: Self.frame)
            let fields = Dictionary(uniqueKeysWithValues: trips.rows[0].fields.map { ($0.name, $0.value) })
            #expect(
                fields["stops"] == #"["x", "y"]"# && fields["length"] == "1.5" && fields["title"] == "\"a\u{202E}b\"")
            #expect(fields["photo"]?.hasPrefix("100 bytes: ff ff") == true && fields["photo"]?.hasSuffix("…") == true)
            await #expect(throws: DataStoreError.self) {
                try await RecordsPage(RecordsAddress(""), in: storage, frame: Self.frame)
            }
        }
    }

    @Test("A page of records has a limited size, whatever the records contain, and all pages show all records")
    func largeRecords() async throws {
        let wide = try Record((0..<10_000).map { ("field \($0)", Value.integer($0)) })
        let marks = "e" + String(repeating: "\u{301}", count: 300_000)
        let records: [Record] = [
            wide, [marks: .integer(1), "list": .array(Array(repeating: .record([marks: .string(marks)]), count: 10))],
            try Record((0..<200).map { ("\($0)", .string(String(repeating: "\u{1}", count: 400))) }),
        ]
        for record in records {
            try await UserProfileStorage.open(.memory).closing { storage in
                try await storage.records.write { transaction in
                    for number in 10..<62 {
                        try transaction.put(record, for: Key(collection: "large", id: "\(number)"))
                    }
                }
                var (address, ids): (String?, [String]) = (RecordsAddress("large").text, [])
                while let current = address {
                    let form = Form(encoded: current.split(separator: "?")[1])
                    let page = try await RecordsPage(RecordsAddress(form), in: storage, frame: Self.frame)
                    #expect(try Templates().render(page).utf8.count < 2 << 20)
                    #expect(!page.rows.isEmpty && page.rows.allSatisfy { $0.fields.count <= 100 })
                    if record == wide { #expect(page.rows[0].more == "9,900 more fields") }
                    ids += page.rows.map(\.id)
                    address = page.nextAddress
                }
                #expect(ids == (10..<62).map { "\($0)" })
            }
        }
    }

    @Test("A value of any size and depth is one short line")
    func longValues() {
        var nested = Value.string("x")
        for _ in 0..<60 { nested = .array([nested, .record(["a": nested])]) }
        for value in [
            nested, .string(String(repeating: "e\u{301}", count: 10_000)), .data([UInt8](repeating: 7, count: 100_000)),
            .array(Array(repeating: .integer(.max), count: 10_000)),
            .string("e" + String(repeating: "\u{301}", count: 300_000)),
            .array(Array(repeating: .string(String(repeating: "\u{301}", count: 1000)), count: 1000)),
        ] {
            #expect(RecordText(value).text.unicodeScalars.count <= RecordText.maximumCount + 1)
        }
    }

    @Test("The page shows a limited number of collections and findings")
    func limits() async throws {
        try await withStore("lmdb") { storage, location in
            try await storage.records.write { transaction in
                for number in 0..<130 {
                    try transaction.put(["a": .integer(1)], for: Key(collection: "c\(number)", id: "1"))
                }
            }
            let page = await Self.page(storage, location)
            #expect(page.problem == nil && page.collections.count == 100)
            #expect(page.moreCollections?.hasSuffix("more collections") == true)
        }
        let check = CheckView(.finished((0..<101).map { "finding \($0)" }))
        #expect(check.findings.count == 100 && check.moreFindings == "1 more finding")
    }

    @Test("A check reports its progress and its findings")
    func check() async throws {
        try await withStore("lmdb") { storage, location in
            let check = StoreCheck(location)
            #expect(CheckView(await check.state).isRunning == false)
            await check.start()
            #expect(CheckView(await check.state).isRunning)
            while CheckView(await check.state).isRunning { try await Task.sleep(for: .milliseconds(10)) }
            #expect(CheckView(await check.state).isSound)
        }
        let missing = StoreCheck(.lmdb("/nonexistent/store"))
        await missing.start()
        while CheckView(await missing.state).isRunning { try await Task.sleep(for: .milliseconds(10)) }
        #expect(CheckView(await missing.state).failure?.contains("/nonexistent/store") == true)
    }
}
