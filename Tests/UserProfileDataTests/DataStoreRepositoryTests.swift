import DataStoreCore
import DataStoreQueries
import DataTesting
import Testing
import UserProfileData
import UserProfileDomain

/// Tests of the guarantees of a repository over a store that `RepositoryConformance` does not check: other collections
/// and unknown fields.
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

    @Test("A mapping with an integer id field lists the entities in the order of the numbers")
    func orderOfIntegerIDs() async throws {
        let lines = try DataStoreRepository(store: store, mapping: LineMapping())
        for id in [10, 9, 100, 2] { try await lines.save(Line(id: id)) }
        let ids = try await lines.list().map(\.id)
        #expect(ids == [2, 9, 10, 100])
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
        let address = Value.string("old@example.com")
        let fields: Record = ["mailAddress": address, "mailAddress-key": address, "birthday": .string("2000-01-01")]
        #expect(record == withExtra(fields))
    }

    @Test("Deleting removes unknown fields")
    func unknownFieldsOfDeletion() async throws {
        try await store.put(withExtra([:]), "users", "ada")
        try await users.delete(ada.id)
        try await users.save(ada)
        let record = try await store.record("users", "ada")
        let address = Value.string("ada@example.com")
        #expect(record == ["mailAddress": address, "mailAddress-key": address])
    }
}

private struct Line: Identifiable {
    let id: Int
}

private struct LineMapping: RecordMapping {
    let collection = "lines"
    let fieldNames = ["number"]
    let integerIDField: QueryField? = QueryField("number")
    let indexes = [IndexDefinition.on("number")]

    func text(of id: Int) -> String { "\(id)" }

    func id(of text: String) throws -> Int {
        guard let id = Int(text) else { throw FieldError("id", "is not a number") }
        return id
    }

    func record(of line: Line) -> Record { ["number": .integer(Int64(line.id))] }

    func entity(of record: borrowing RecordView, id: Int) throws -> Line { Line(id: id) }
}
