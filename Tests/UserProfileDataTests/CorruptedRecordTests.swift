import DataStoreCore
import DataTesting
import Synchronization
import Testing
import UserProfileData
import UserProfileDomain

/// Tests of records that this program would not write.
@Suite struct CorruptedRecordTests {
    private let store = MemoryDataStore()
    private let users: UserRepository
    private let forecasts: DataStoreRepository<WeatherMapping>

    init() throws {
        users = try UserRepository(store)
        forecasts = try DataStoreRepository<WeatherMapping>(store)
    }

    /// Expects that an error names the key and the field, and that it contains the cause: the domain's own error if the
    /// value has the right type but is invalid.
    private func expectCorrupted(
        _ key: String, field: String, isInvalidValue: Bool = false, _ error: RepositoryError?,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let error = try #require(error, sourceLocation: location)
        #expect(error.code == .corrupted, sourceLocation: location)
        #expect(error.message.contains("key \(key)"), "\(error)", sourceLocation: location)
        #expect(error.message.contains("field \(field)"), "\(error)", sourceLocation: location)
        let causes = error.causes
        #expect((causes.first as? DataStoreError)?.code == .corrupted, sourceLocation: location)
        #expect(causes.contains { ($0 as? FieldError)?.name == field }, "\(causes)", sourceLocation: location)
        #expect(causes.contains { $0 is ValidationError } == isInvalidValue, "\(causes)", sourceLocation: location)
    }

    // MARK: Users

    @Test(
        "A value of the wrong type in a user is an error",
        arguments: ["mailAddress", "birthday"],
        [
            .integer(1), .real(1.5), .bool(true), .date(Timestamp(seconds: 0)), .data([1]), .array([.string("x")]),
            .record([:]),
        ] as [Value])
    func wrongKindInUser(_ field: String, _ value: Value) async throws {
        try await store.put([field: value], "users", "me")
        let error = await #expect(throws: RepositoryError.self) { try await users.find(.me) }
        try expectCorrupted("users/me", field: field, error)
    }

    @Test(
        "An invalid value in a user is an error",
        arguments: [("birthday", "2011-8-1"), ("birthday", ""), ("mailAddress", "nobody"), ("mailAddress", "")])
    func invalidValueInUser(_ field: String, _ text: String) async throws {
        try await store.put([field: .string(text)], "users", "me")
        let error = await #expect(throws: RepositoryError.self) { try await users.find(.me) }
        try expectCorrupted("users/me", field: field, isInvalidValue: true, error)
    }

    @Test("Reads of several entities skip and report records that cannot be decoded, if asked to")
    func skippedRecords() async throws {
        try await store.put(["birthday": .string("yesterday")], "users", "bad")
        try await store.put(["birthday": .string("2011-08-01")], "users", "good")
        let errors = Mutex<[RepositoryError]>([])
        let users = users.skippingInvalid { error in errors.withLock { $0.append(error) } }
        #expect(try await users.list().map(\.id.text) == ["good"])
        #expect(try await users.find(Query(where: .exists(\.birthday))).entities.map(\.id.text) == ["good"])
        #expect(try await users.reduce(Query(), into: 0) { count, _ in count += 1 } == 1)
        var pages = users.updates(matching: Query()).makeAsyncIterator()
        #expect(try await pages.next()?.entities.map(\.id.text) == ["good"])
        let reported = errors.withLock { $0 }
        #expect(reported.count == 4)
        #expect(reported.allSatisfy { $0.code == .corrupted && $0.message.contains("users/bad") })
        // The entity itself is still an error, and can be counted and deleted.
        await #expect(throws: RepositoryError.self) { try await users.find(UserID("bad")) }
        #expect(try await users.count(where: .exists(\.birthday)) == 2)
        #expect(try await users.deleteAll(where: \.birthday == Birthday("2011-08-01")) == 1)
        #expect(try await users.count() == 1)
    }

    @Test("Skipped records do not count towards the limit of a page", arguments: [1, 2, 3])
    func skippedRecordsOfPages(_ limit: Int) async throws {
        // The ids of the invalid records are invalid, too, so that no page can end with them.
        for id in ["1", "2", "3", "4", "5"] {
            try await store.put(["birthday": .string("2011-08-01")], "users", id)
            for suffix in ["\u{1}", "\u{2}", "\u{3}"] { try await store.put([:], "users", id + suffix) }
        }
        let users = users.skippingInvalid { _ in }
        for query in [
            Query(limit: limit), Query(sort: [.descending(\.id)], limit: limit),
            Query(sort: [.ascending(\.birthday)], limit: limit),
        ] as [Query<User>] {
            var (query, pages) = (query, [Page<User>]())
            repeat {
                let page = try await users.find(query)
                var updates = users.updates(matching: query).makeAsyncIterator()
                #expect(try await updates.next() == page)
                pages.append(page)
                query.cursor = page.next
            } while query.cursor != nil
            let ids = pages.flatMap(\.entities).map(\.id.text)
            #expect(ids.sorted() == ["1", "2", "3", "4", "5"])
            #expect(pages.dropLast().allSatisfy { $0.entities.count == limit })
        }
        #expect(try await users.list(after: UserID("1"), limit: limit).count == limit)
        #expect(try await users.list(after: nil, limit: 0).isEmpty)
    }

    @Test("A list and an update fail for a corrupted record and leave it")
    func listAndUpdate() async throws {
        let record: Record = ["birthday": .integer(20_110_801), "nickname": .string("Ada")]
        try await store.put(record, "users", "me")
        try await users.save(User(id: try UserID("ada")))
        let listError = await #expect(throws: RepositoryError.self) { try await users.list() }
        try expectCorrupted("users/me", field: "birthday", listError)
        let updateError = await #expect(throws: RepositoryError.self) {
            try await users.update(.me) { $0 = User(id: .me) }
        }
        try expectCorrupted("users/me", field: "birthday", updateError)
        let left = try await store.record("users", "me")
        #expect(left == record)
    }

    // A user must be able to recover: an unreadable record can be replaced or deleted.
    @Test("A corrupted record can be replaced and deleted")
    func saveAndDelete() async throws {
        try await store.put(["birthday": .integer(20_110_801)], "users", "me")
        try await users.save(User(id: .me))
        let found = try await users.find(.me)
        #expect(found == User(id: .me))
        try await store.put(["birthday": .integer(20_110_801)], "users", "me")
        let existed = try await users.delete(.me)
        #expect(existed)
    }

    @Test("A record under an invalid id is an error", arguments: ["line\u{1}feed", String(repeating: "x", count: 201)])
    func invalidID(_ id: String) async throws {
        try await store.put([:], "users", id)
        let error = await #expect(throws: RepositoryError.self) { try await users.list() }
        #expect(error?.code == .corrupted)
        #expect(error?.message.contains("key \(try Key(collection: "users", id: id))") == true)
        #expect(error?.causes.contains { ($0 as? ValidationError)?.subject == .userID } == true)
    }

    // MARK: Weather

    private static let day: Record = ["date": .string("2020-05-05"), "dateLabel": .string("今日"), "telop": .string("晴")]

    private static let weather: Record = [
        "title": .string("晴"), "publishedAt": .date(Timestamp(seconds: 0)), "forecasts": .array([.record(day)]),
    ]

    private func expectCorruptedWeather(_ record: Record, field: String, isInvalidValue: Bool = false) async throws {
        let city = try CityCode("130010")
        try await store.put(record, "weather", city.text)
        let error = await #expect(throws: RepositoryError.self) { try await forecasts.find(city) }
        try expectCorrupted("weather/130010", field: field, isInvalidValue: isInvalidValue, error)
    }

    @Test(
        "A wrong field in weather is an error",
        arguments: [
            ("title", nil), ("title", .integer(1)), ("publishedAt", nil), ("publishedAt", .string("2020-05-05")),
            ("description", .bool(false)), ("forecasts", nil), ("forecasts", .record([:])),
        ] as [(String, Value?)])
    func wrongFieldInWeather(_ field: String, _ value: Value?) async throws {
        var record = Self.weather
        record[field] = value
        try await expectCorruptedWeather(record, field: field)
    }

    @Test("A day of weather that is no record is an error that names it")
    func foreignDay() async throws {
        var record = Self.weather
        record["forecasts"] = .array([.record(Self.day), .string("晴")])
        try await expectCorruptedWeather(record, field: "forecasts[1]")
    }

    @Test(
        "A wrong field in a day of weather is an error",
        arguments: [
            ("date", nil, false), ("date", .date(Timestamp(seconds: 0)), false), ("date", .string("2020-5-5"), true),
            ("dateLabel", nil, false), ("telop", .data([]), false), ("lowest", .string("6"), false),
            ("lowest", .real(-300), true), ("highest", .real(.nan), true), ("highest", .bool(true), false),
            // The number is not representable as a floating-point value.
            ("highest", .integer(.max), false), ("imageURL", .array([]), false),
        ] as [(String, Value?, Bool)])
    func wrongFieldInDay(_ field: String, _ value: Value?, _ isInvalidValue: Bool) async throws {
        var day = Self.day
        day[field] = value
        var record = Self.weather
        record["forecasts"] = .array([.record(Self.day), .record(day)])
        try await expectCorruptedWeather(record, field: field, isInvalidValue: isInvalidValue)
    }
}
