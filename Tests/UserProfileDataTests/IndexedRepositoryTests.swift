import DataStoreCore
import DataStoreQueries
import DataTesting
import Testing
import UserProfileData
import UserProfileDomain

/// Tests of the indexes that mappings declare, on every store.
@Suite struct IndexedRepositoryTests {
    private func users(_ kind: StoreLocation.Kind, isMailAddressUnique: Bool = false) throws -> (
        UserRepository, any DataStore
    ) {
        let store = try StoreLocation(kind).open()
        let mapping = UserMapping(isMailAddressUnique: isMailAddressUnique)
        return (try UserRepository(store: store, mapping: mapping), store)
    }

    private func address(_ number: Int) throws -> MailAddress { try MailAddress("user\(number)@Example.com") }

    @Test("Users are found by an index without reading others", arguments: StoreLocation.Kind.allCases)
    func indexedUsers(_ kind: StoreLocation.Kind) async throws {
        let (users, store) = try users(kind)
        let profiles = UserUseCase(users: users)
        for number in 0..<60 {
            let id = try UserID("\(number)")
            try await profiles.saveMailAddress(address(number), of: id)
            let birthday = try Birthday("19\(10 + number)-0\(1 + number % 9)-1\(number % 3)")
            try await profiles.saveBirthday(birthday, of: id, now: Instant(seconds: 1_800_000_000))
        }
        let found = try await profiles.users(withMailAddress: MailAddress("user7@EXAMPLE.com"))
        #expect(found.map(\.id.text) == ["7"])
        func explain(_ query: Query<User>) async throws -> QueryExplanation { try await users.explain(query) }
        let byMail = try await explain(Query(where: try \.mailAddress == address(7)))
        #expect(byMail.index == "mailAddress-key" && byMail.entryCount == 1 && byMail.entityCount == 0)
        let byBirthday = try await explain(
            Query(where: try \.birthday < Birthday("1915-01-01"), sort: [.ascending(\.birthday)]))
        #expect(byBirthday.index == "birthday" && byBirthday.isInOrder && byBirthday.entryCount == 5)
        // One more entry is read to determine that no other entry ties with the third.
        let page = try await explain(Query(sort: [.descending(\.mailAddress), .ascending(\.birthday)], limit: 3))
        #expect(page.index == "mailAddress-key" && page.entryCount == 4 && page.foundCount == 3)
        let first = try CalendarDate("2026-12-30")
        let upcoming = try await profiles.birthdays(from: first, within: 14)
        let last = try CalendarDate("2027-01-13")
        let byDay = try await explain(Query(where: .birthdayOccurs(from: first, through: last)))
        #expect(byDay.index == "birthday:date.monthDay@1" && byDay.entryCount == upcoming.count && !upcoming.isEmpty)
        let reports = try await SchemaStore(store).checkIndexes()
        #expect(
            reports.filter { $0.state == .ready && $0.matchesRecords && $0.entryCount == 60 }.count == 3)
        await store.close()
    }

    @Test(
        "Users with the same address are found with and without a valid index",
        arguments: StoreLocation.Kind.allCases)
    func equalAddresses(_ kind: StoreLocation.Kind) async throws {
        let (users, store) = try users(kind)
        let same = try MailAddress("same@example.com")
        for (id, address) in [("b", same), ("c", try address(1)), ("a", same)] {
            try await users.save(User(id: UserID(id), mailAddress: address))
        }
        func ids() async throws -> [String] {
            try await UserUseCase(users: users).users(withMailAddress: MailAddress("same@EXAMPLE.com")).map(\.id.text)
        }
        #expect(try await ids() == ["a", "b"])
        // A write to the wrapped store invalidates the index.
        try await store.write { transaction in
            let user = try User(id: UserID("d"), mailAddress: same)
            try transaction.put(UserMapping().record(of: user), for: Key(collection: "users", id: "d"))
        }
        #expect(try await ids() == ["a", "b", "d"])
        await store.close()
    }

    @Test("Queries of two indexed fields in turn find the right users", arguments: StoreLocation.Kind.allCases)
    func alternatingFields(_ kind: StoreLocation.Kind) async throws {
        let (users, store) = try users(kind)
        let numbers = [1, 20_000, 3]
        let days = try ["2000-01-01", "2000-01-02", "2000-01-03"].map { try Birthday($0) }
        for (number, day) in zip(numbers, days) {
            try await users.save(User(id: UserID("\(number)"), mailAddress: address(number), birthday: day))
        }
        for (number, day) in zip(numbers, days) {
            let byMail = try await users.find(Query(where: try \.mailAddress == address(number))).entities
            let byDay = try await users.find(Query(where: \.birthday == day)).entities
            #expect(byMail.map(\.id.text) == ["\(number)"] && byDay.map(\.id.text) == ["\(number)"])
        }
        await store.close()
    }

    /// The schema of the store declares users without the unique field.
    @Test("A repository adds its indexes to those of the store")
    func addedIndexes() async throws {
        let plain = try Schema([UserMapping().schemaCollection])
        let store = SchemaStore(MemoryDataStore(), schema: plain)
        let users = try UserRepository(store: store, mapping: UserMapping(isMailAddressUnique: true))
        try await users.save(User(id: UserID("a"), mailAddress: address(1)))
        let error = await #expect(throws: RepositoryError.self) {
            try await users.save(User(id: UserID("b"), mailAddress: address(1)))
        }
        #expect(error?.code == .conflict)
    }

    @Test("Cities are found by a date of their forecasts", arguments: StoreLocation.Kind.allCases)
    func cities(_ kind: StoreLocation.Kind) async throws {
        let store = try StoreLocation(kind).open()
        let weather = try DataStoreRepository(store: store, mapping: WeatherMapping())
        for (number, city) in City.all.prefix(20).enumerated() {
            let days = try (0..<3).map { day in
                try Forecast(
                    date: CalendarDate("2026-11-\(10 + number % 5 + day)"), dateLabel: "", telop: day == 1 ? "雨" : "晴れ")
            }
            try await weather.save(
                Weather(
                    id: city.code, title: city.name, publishedAt: Instant(seconds: 0), description: nil,
                    forecasts: days,
                    receipt: nil))
        }
        let day = try CalendarDate("2026-11-12")
        let query = Query<Weather>(where: .any(\.forecasts, \.date == day && .contains(\.telop, "雨")))
        let found = try await weather.find(query).entities
        let expected = try await weather.list().filter { $0.forecasts.contains { $0.date == day && $0.telop == "雨" } }
        #expect(found == expected && found.count == 4)
        let explanation = try await weather.explain(query)
        #expect(explanation.index == "forecasts[].date" && explanation.entryCount == 12)
        await store.close()
    }

    @Test(
        "A second user with a mail address is rejected if the address is unique", arguments: StoreLocation.Kind.allCases
    )
    func uniqueMailAddress(_ kind: StoreLocation.Kind) async throws {
        let (users, store) = try users(kind, isMailAddressUnique: true)
        let profiles = UserUseCase(users: users)
        let (first, second) = (try UserID("first"), try UserID("second"))
        try await profiles.saveMailAddress(MailAddress("a@example.com"), of: first)
        try await profiles.saveMailAddress(MailAddress("b@example.com"), of: second)
        let error = await #expect(throws: RepositoryError.self) {
            try await profiles.saveMailAddress(MailAddress("a@EXAMPLE.com"), of: second)
        }
        #expect(error?.code == .conflict)
        #expect(error?.message.contains("users/first") == true, "the message names the other user")
        #expect(try await profiles.mailAddress(of: second)?.text == "b@example.com")
        // Another spelling of the user's own address is not a duplicate, and an address that was removed is free.
        try await profiles.saveMailAddress(MailAddress("a@EXAMPLE.com"), of: first)
        try await profiles.saveMailAddress(nil, of: first)
        try await profiles.saveMailAddress(MailAddress("a@example.com"), of: second)
        await store.close()
        // Uniqueness is disabled by default.
        let (otherUsers, other) = try self.users(kind)
        let others = UserUseCase(users: otherUsers)
        for id in [first, second] { try await others.saveMailAddress(MailAddress("a@example.com"), of: id) }
        #expect(try await others.users(withMailAddress: MailAddress("a@example.com")).count == 2)
        await other.close()
    }
}
