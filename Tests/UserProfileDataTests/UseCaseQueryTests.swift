import DataStoreCore
import DataStoreTesting
import Testing
import UserProfileData
import UserProfileDomain

/// Tests of the results of the use cases with a repository and a store.
@Suite struct UseCaseQueryTests {
    private let profiles: UserUseCase

    init() throws { profiles = UserUseCase(users: try UserRepository(MemoryDataStore())) }

    /// Saves users whose ids are their birthdays, so that results are easy to read.
    private func save(_ birthdays: String...) async throws {
        for birthday in birthdays {
            let now = try Instant("9999-12-31T00:00:00Z")
            try await profiles.saveBirthday(Birthday(birthday), of: UserID(birthday), now: now)
        }
    }

    private func birthdays(from today: String, within days: Int) async throws -> [String] {
        try await profiles.birthdays(from: CalendarDate(today), within: days).map {
            "\($0.user.id) on \($0.date), \($0.age)"
        }
    }

    // MARK: Mail addresses

    @Test("Users are found by their mail address")
    func mailAddress() async throws {
        for (id, address) in [("a", "vision@example.com"), ("b", "vision@EXAMPLE.com"), ("c", "Vision@example.com")] {
            try await profiles.saveMailAddress(MailAddress(address), of: UserID(id))
        }
        try await profiles.saveBirthday(Birthday("2011-08-01"), of: UserID("d"), now: Instant(seconds: 2_000_000_000))
        let found = try await profiles.users(withMailAddress: MailAddress("vision@Example.COM"))
        #expect(found.map(\.id.text) == ["a", "b"])
        #expect(try await profiles.users(withMailAddress: MailAddress("nobody@example.com")).isEmpty)
    }

    // MARK: Birthdays

    @Test("Birthdays are sorted by date")
    func birthdays() async throws {
        try await save("1990-08-03", "2001-08-01", "1980-08-08", "1970-07-31", "1999-08-03")
        #expect(
            try await birthdays(from: "2011-08-01", within: 7) == [
                "2001-08-01 on 2011-08-01, 10", "1990-08-03 on 2011-08-03, 21", "1999-08-03 on 2011-08-03, 12",
                "1980-08-08 on 2011-08-08, 31",
            ])
        #expect(try await birthdays(from: "2011-08-01", within: 0) == ["2001-08-01 on 2011-08-01, 10"])
        #expect(try await birthdays(from: "2011-08-01", within: -1).isEmpty)
    }

    @Test("Birthdays are found across the turn of the year")
    func turnOfYear() async throws {
        try await save("1990-01-02", "1990-12-30", "1990-12-29", "1990-01-03")
        #expect(
            try await birthdays(from: "2026-12-30", within: 3) == [
                "1990-12-30 on 2026-12-30, 36", "1990-01-02 on 2027-01-02, 37",
            ])
    }

    @Test("A period of several years has every birthday of a user")
    func severalYears() async throws {
        try await save("2000-02-29", "2025-12-31")
        #expect(
            try await birthdays(from: "2026-12-31", within: 800) == [
                "2025-12-31 on 2026-12-31, 1", "2000-02-29 on 2027-03-01, 27", "2025-12-31 on 2027-12-31, 2",
                "2000-02-29 on 2028-02-29, 28", "2025-12-31 on 2028-12-31, 3", "2000-02-29 on 2029-03-01, 29",
            ])
        #expect(try await birthdays(from: "9998-12-31", within: .max).count == 3)
    }

    @Test("29 February falls on 1 March in other years")
    func leapDay() async throws {
        try await save("2000-02-28", "2000-02-29", "2000-03-01")
        #expect(try await birthdays(from: "2027-02-28", within: 0) == ["2000-02-28 on 2027-02-28, 27"])
        #expect(
            try await birthdays(from: "2027-03-01", within: 0) == [
                "2000-02-29 on 2027-03-01, 27", "2000-03-01 on 2027-03-01, 27",
            ])
        #expect(try await birthdays(from: "2028-02-29", within: 0) == ["2000-02-29 on 2028-02-29, 28"])
        #expect(try await birthdays(from: "2028-03-01", within: 0) == ["2000-03-01 on 2028-03-01, 28"])
    }

    @Test("A user has no birthday before the date of birth")
    func unborn() async throws {
        try await save("2030-08-01")
        #expect(try await birthdays(from: "2026-07-30", within: 365).isEmpty)
        #expect(try await birthdays(from: "2030-07-30", within: 5) == ["2030-08-01 on 2030-08-01, 0"])
        #expect(try await birthdays(from: "9999-12-31", within: 365).isEmpty)
    }

    @Test("Random birthdays match a check of each user")
    func randomBirthdays() async throws {
        var generator = SeededGenerator()
        print("birthdays: seed \(generator.seed)")
        var saved: [User] = []
        for _ in 0..<150 {
            let day = try CalendarDate.random(using: &generator)
            try await save("\(day)")
            saved.append(User(id: try UserID("\(day)"), birthday: Birthday(day)))
        }
        for _ in 0..<200 {
            let today = try CalendarDate.random(using: &generator)
            let days = [0, 1, 7, 30, 364, 365, 366, 800, 10_000].randomElement(using: &generator) ?? 0
            let last = min(today.year + days / 365 + 1, 9999)
            let expected = try Set(saved).flatMap { user -> [(CalendarDate, UserID)] in
                try (today.year...last).compactMap { year in
                    let date = user.birthday?.next(onOrAfter: try CalendarDate(year: year, month: 1, day: 1))
                    guard let date, date.year == year, date >= today, date.dayCount(since: today) <= days else {
                        return nil
                    }
                    return (date, user.id)
                }
            }.sorted { $0 < $1 }
            let found = try await profiles.birthdays(from: today, within: days)
            #expect(found.map(\.user.id) == expected.map(\.1), "seed \(generator.seed): \(days) days from \(today)")
            #expect(found.map(\.date) == expected.map(\.0))
        }
    }

    // MARK: Forecasts

    @Test("Cities are found by their forecast for a date")
    func forecastForDate() async throws {
        let cities: [(String, [(String, String, Double?)])] = [
            ("011000", [("2026-11-21", "雨", 3), ("2026-11-22", "晴", 12)]),
            // One day fulfills the first condition and another day the second.
            ("130010", [("2026-11-21", "晴", 20), ("2026-11-22", "雨のち晴", 8)]),
            ("471010", [("2026-11-21", "晴時々雨", 25.5), ("2026-11-22", "雨", nil)]),
            ("400010", []),
        ]
        let setup = try ForecastSetup()
        for (code, days) in cities {
            try await setup.weather.save(
                Weather(
                    id: CityCode(code), title: code, publishedAt: Instant(seconds: 0), description: nil,
                    forecasts: days.map { date, telop, highest in
                        Forecast(
                            date: try CalendarDate(date), dateLabel: "", telop: telop,
                            highest: try highest.map { try Temperature(celsius: $0) })
                    }))
        }
        let date = try CalendarDate("2026-11-21")
        func codes(_ filter: Filter<Forecast>?) async throws -> [String] {
            try await setup.forecasts.list(on: date, where: filter).map(\.id.text)
        }
        #expect(try await codes(.contains(\.telop, "雨")) == ["011000", "471010"])
        #expect(try await codes(\.highest > Temperature(celsius: 19.5)) == ["130010", "471010"])
        #expect(try await codes(.contains(\.telop, "雨") && \.highest > Temperature(celsius: 19.5)) == ["471010"])
        #expect(try await codes(\.highest <= Temperature(celsius: 3)) == ["011000"])
        #expect(try await codes(nil) == ["011000", "130010", "471010"])
        #expect(try await setup.forecasts.list(on: CalendarDate("2026-11-20")).isEmpty)
        let newest = try await setup.weather.find(
            Query(sort: [.descending(\.publishedAt), .descending(\.title)], limit: 1))
        #expect(newest.entities.map(\.id.text) == ["471010"] && newest.next != nil)
    }
}

extension CalendarDate {
    /// Returns a random date near the critical ones: the ends of years and of February.
    fileprivate static func random(using generator: inout SeededGenerator) throws -> CalendarDate {
        let days = ["12-30", "12-31", "01-01", "01-02", "02-27", "02-28", "02-29", "03-01", "03-02", "08-01"]
        let year = [1999, 2000, 2004, 2023, 2024, 2025, 2100].randomElement(using: &generator) ?? 2000
        let day = days.randomElement(using: &generator) ?? "01-01"
        return try (try? CalendarDate("\(year)-\(day)")) ?? CalendarDate("\(year)-02-28")
    }
}
