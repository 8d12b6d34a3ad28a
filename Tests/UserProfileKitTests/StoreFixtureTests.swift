import DataStoreCore
import DataStoreLMDB
import DataStorePlist
import Foundation
import Testing
import UserProfileDomain
import UserProfileKit

/// Stores that the first version wrote, which must remain readable.
@Suite struct StoreFixtureTests {
    static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Fixtures/stores/1").standardizedFileURL

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

    @Test("Stores in the first format are readable", arguments: stores.keys.sorted())
    func firstFormat(_ name: String) async throws {
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

        // An old store is also writable.
        try await storage.profiles.saveBirthday(Birthday("1999-12-31"), of: japanese, now: .now)
        #expect(try await storage.profiles.mailAddress(of: japanese)?.text == "\"a b\"@例え.jp")
        await storage.close()
    }
}
