import DataStoreCore
import DataStoreLMDB
import DataStorePlist
import DataStoreQueries
import Foundation
import Testing
import UserProfileDomain
import UserProfileKit

/// Tests of stored files, which must remain readable.
@Suite struct StoreFixtureTests {
    static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Fixtures/stores/profiles").standardizedFileURL

    /// The functions that open a copy of each store. A copy is needed because opening an LMDB environment creates a
    /// lock file.
    static let stores: [String: @Sendable (String) throws -> any DataStore] = [
        "lmdb": { try LMDBDataStore(path: $0) },
        "profile.plist": { try PlistDataStore(path: $0) },
        "profile-binary.plist": { try PlistDataStore(path: $0) },
    ]

    /// The contents of the record `values/every kind`.
    static let everyKind: Record = [
        "string": .string("text"), "control": .string("\u{0}\r\n\u{FEFF}"), "decomposed e\u{301}": .string("e\u{301}"),
        "largest": .integer(.max), "smallest": .integer(.min), "real": .real(0.1), "one": .real(1),
        "negative zero": .real(-0.0), "infinity": .real(.infinity), "nan": .real(.nan), "true": .bool(true),
        "date": .date(Timestamp(seconds: 1_480_320_000)),
        "nanoseconds": Timestamp(seconds: -1, nanoseconds: 999_999_999).map(Value.date) ?? .bool(false),
        "data": .data([0, 255]), "array": .array([.integer(1), .array([])]), "record": .record(["$a": .record([:])]),
    ]

    @Test("Stores of profiles are readable", arguments: stores.keys.sorted())
    func profiles(_ name: String) async throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.copyItem(atPath: Self.fixtures.appending(path: name).path, toPath: directory.path(name))
        let open = try #require(Self.stores[name])
        let store = try open(directory.path(name))
        let storage = try UserProfileStorage(store: store)

        let japanese = try UserID("vision 日本")
        #expect(
            try await storage.users.list() == [
                User(id: try UserID("leap"), birthday: try Birthday("2000-02-29")),
                User(
                    id: .me, mailAddress: try MailAddress("vision@example.com"), birthday: try Birthday("2011-08-01")),
                User(id: japanese, mailAddress: try MailAddress("\"a b\"@例え.jp")),
            ])
        let cities = try await storage.weather.list()
        #expect(cities.map(\.id.text) == ["130010", "270000"])
        #expect(cities.map(\.forecasts.count) == [3, 3])
        let key = try Key(collection: "values", id: "every kind")
        #expect(try await store.read { try $0.record(for: key) } == Self.everyKind)

        try await storage.profiles.saveBirthday(Birthday("1999-12-31"), of: japanese, now: .now)
        #expect(try await storage.profiles.mailAddress(of: japanese)?.text == "\"a b\"@例え.jp")
        await storage.close()
    }

    /// The expected contents of a store, from `Fixtures/stores/contents.json`.
    struct Contents: Decodable, Sendable {
        /// The value of a field.
        enum Field: Decodable {
            case text(String), number(Int64)

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                do { self = .number(try container.decode(Int64.self)) } catch {
                    self = .text(try container.decode(String.self))
                }
            }

            var value: Value {
                switch self {
                case .text(let text): .string(text)
                case .number(let number): .integer(number)
                }
            }
        }

        /// The fields of each record, by collections and ids.
        let collections: [String: [String: [String: Field]]]
        /// The names of the applied migrations.
        let migrations: [String]
        /// The collection with a unique field, which each of its records has.
        let unique: String?

        func records(of collection: String) -> [String: Record] {
            (collections[collection] ?? [:]).mapValues { fields in
                fields.reduce(into: Record()) { $0[$1.key] = $1.value.value }
            }
        }
    }

    static let contents = Result {
        try JSONDecoder().decode(
            [String: Contents].self,
            from: Data(contentsOf: fixtures.appending(path: "../contents.json").standardizedFileURL))
    }

    @Test(
        "A store of each form is read with its indexes and migrations, and it is written",
        arguments: ["profiles", "schema"].flatMap { folder in stores.keys.sorted().map { "\(folder)/\($0)" } })
    func eachForm(_ name: String) async throws {
        let contents = try #require(try Self.contents.get()[String(name.prefix { $0 != "/" })])
        let directory = try TemporaryDirectory()
        let path = directory.path("store")
        try FileManager.default.copyItem(
            atPath: Self.fixtures.appending(path: "../\(name)").standardizedFileURL.path, toPath: path)
        let location = StorageLocation(
            kind: try StorageLocation(name.contains("lmdb") ? "lmdb:a" : "plist:a").kind, address: path)
        #expect(try await location.check() == [])
        #expect(try await location.migrations().map(\.name) == contents.migrations)

        let store = SchemaStore(try await location.kind.open(at: path, report: nil))
        for collection in contents.collections.keys {
            let entries = try await store.read { try $0.records(in: Scan(collection)) }
            #expect(Dictionary(entries.map { ($0.key.id, $0.record) }) { $1 } == contents.records(of: collection))
        }
        try await store.buildIndexes()
        #expect(try await store.checkIndexes().allSatisfy(\.matchesRecords))
        if let unique = contents.unique, let record = contents.records(of: unique).values.first {
            let error = await #expect(throws: DataStoreError.self) {
                try await store.write { try $0.put(record, for: Key(collection: unique, id: "new")) }
            }
            #expect(error?.code == .notUnique)
        }
        await store.close()

        let storage = try await UserProfileStorage.open(location)
        #expect(try await storage.records.indexes().allSatisfy { $0.state == .ready })
        let user = User(id: try UserID("new"), mailAddress: try MailAddress("new@example.com"))
        try await storage.users.save(user)
        #expect(try await storage.users.find(user.id) == user)
        await storage.close()
        #expect(try await location.check() == [])
    }
}
