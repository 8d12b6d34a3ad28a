import DataStoreCore
import DataStoreMemory
import DataTesting
import Testing
import UserProfileData
import UserProfileDomain

/// A repository over a working store.
@Suite struct DataStoreRepositoryTests {
    private let store = MemoryDataStore()
    private let users: UserRepository
    private let ada: User
    private let ben: User

    init() throws {
        users = try UserRepository(store)
        ada = User(id: try UserID("ada"), mailAddress: try MailAddress("ada@example.com"))
        ben = User(id: try UserID("ben"), birthday: try Birthday("1990-02-03"))
    }

    // MARK: One entity

    @Test("A saved entity is found")
    func roundTrip() async throws {
        try await users.save(ada)
        try await users.save(ben)
        let found = try await [users.find(ada.id), users.find(ben.id)]
        #expect(found == [ada, ben])
    }

    @Test("A user without fields differs from a user who was never saved")
    func emptyUser() async throws {
        let before = try await users.find(.me)
        #expect(before == nil)
        try await users.save(User(id: .me))
        let after = try await users.find(.me)
        #expect(after == User(id: .me))
    }

    @Test("A save replaces the whole entity")
    func replacement() async throws {
        try await users.save(ada)
        let other = User(id: ada.id, birthday: ben.birthday)
        try await users.save(other)
        let found = try await users.find(ada.id)
        #expect(found == other)
    }

    @Test("Deleting removes one entity")
    func deletion() async throws {
        try await users.save(ada)
        try await users.save(ben)
        let answers = try await [users.delete(ada.id), users.delete(ada.id)]
        #expect(answers == [true, false])
        let left = try await users.list()
        #expect(left == [ben])
    }

    @Test("Deleting all leaves other collections")
    func deletionOfAll() async throws {
        let weather = Weather(
            id: try CityCode("130010"), title: "晴", publishedAt: Instant(seconds: 0), description: nil, forecasts: [])
        let forecasts = try DataStoreRepository<WeatherMapping>(store)
        try await forecasts.save(weather)
        try await users.save(ada)
        try await users.save(ben)
        let counts = try await [users.deleteAll(), users.deleteAll()]
        #expect(counts == [2, 0])
        let left = try await users.list()
        #expect(left.isEmpty)
        let leftForecasts = try await forecasts.list()
        #expect(leftForecasts == [weather])
    }

    // MARK: Lists

    // U+FFFD comes before an emoji in UTF-8 and after it in UTF-16. The two spellings of é are two ids.
    private static let ids = ["0", "00", "A", "Z", "a", "e\u{301}", "z", "é", "\u{FFFD}", "😀"]

    @Test("A list is in the order of unsigned bytes")
    func order() async throws {
        for id in Self.ids.shuffled() { try await users.save(User(id: try UserID(id))) }
        let listed = try await users.list()
        // The ids are compared as bytes, because strings in different normalization forms are equal.
        #expect(listed.map { Array($0.id.text.utf8) } == Self.ids.map { Array($0.utf8) })
    }

    @Test(
        "A list is read page by page",
        arguments: [
            (nil, nil, 0..<10), (nil, 3, 0..<3), ("A", 3, 3..<6), ("A", nil, 3..<10), ("😀", 3, 0..<0),
            ("z", 100, 7..<10),
            // The id to start after need not exist.
            ("B", 2, 3..<5), (nil, 0, 0..<0), (nil, -1, 0..<0),
        ] as [(String?, Int?, Range<Int>)])
    func page(_ after: String?, _ limit: Int?, _ expected: Range<Int>) async throws {
        for id in Self.ids { try await users.save(User(id: try UserID(id))) }
        let listed = try await users.list(after: try after.map { try UserID($0) }, limit: limit)
        #expect(listed.map(\.id.text) == Array(Self.ids[expected]))
    }

    @Test("Weather is listed by city code")
    func weatherOrder() async throws {
        let forecasts = try DataStoreRepository<WeatherMapping>(store)
        for code in ["130010", "011000", "471010"] {
            try await forecasts.save(
                Weather(
                    id: try CityCode(code), title: code, publishedAt: Instant(seconds: 0), description: nil,
                    forecasts: []))
        }
        let listed = try await forecasts.list()
        #expect(listed.map(\.title) == ["011000", "130010", "471010"])
    }

    // MARK: Fields of a newer program

    private static let extra: Record = [
        "nickname": .string("Ada"), "settings": .record(["depth": .integer(3), "list": .array([.bool(true)])]),
        "mailaddress": .string("another name, for case counts"),
    ]

    private func withExtra(_ fields: Record) -> Record {
        var record = Self.extra
        for field in fields { record[field.name] = field.value }
        return record
    }

    @Test("A save keeps unknown fields")
    func unknownFieldsOfSave() async throws {
        try await store.put(withExtra(["mailAddress": .string("old@example.com")]), "users", "ben")
        try await users.save(ben)
        let record = try await store.record("users", "ben")
        // The mail address is a field of this program, so it is removed when the user no longer has one.
        #expect(record == withExtra(["birthday": .string("1990-02-03")]))
    }

    @Test("An update keeps unknown fields")
    func unknownFieldsOfUpdate() async throws {
        try await store.put(withExtra(["mailAddress": .string("old@example.com")]), "users", "ada")
        let birthday = try Birthday("2000-01-01")
        try await users.update(ada.id) { $0?.birthday = birthday }
        let record = try await store.record("users", "ada")
        #expect(record == withExtra(["mailAddress": .string("old@example.com"), "birthday": .string("2000-01-01")]))
    }

    @Test("Deleting removes unknown fields")
    func unknownFieldsOfDeletion() async throws {
        try await store.put(withExtra([:]), "users", "ada")
        try await users.delete(ada.id)
        try await users.save(ada)
        let record = try await store.record("users", "ada")
        #expect(record == ["mailAddress": .string("ada@example.com")])
    }
}
