import DataStoreCore
import Testing
import UserProfileKit

@testable import Studio

/// Tests of the page of all profiles for an address, without a server.
@Suite struct ProfilesPageTests {
    private static let frame = Frame(store: "memory:", isWritable: true)

    private func withUsers(
        _ count: Int, _ body: (UserProfileStorage) async throws -> Void
    ) async throws {
        let storage = try await UserProfileStorage.open(.memory)
        for number in 0..<count {
            let id = try UserID("user-\(number + 1000)")
            try await storage.users.save(
                User(
                    id: id, mailAddress: number.isMultiple(of: 3) ? nil : MailAddress("\(id)@example.com"),
                    birthday: Birthday(CalendarDate(year: 1950 + number % 50, month: 1 + number % 12, day: 1))))
        }
        try await body(storage)
        await storage.close()
    }

    private func page(
        _ address: String, _ storage: UserProfileStorage, counts: RecordCounts? = nil
    ) async throws -> ProfilesPage {
        let query = address.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        return try await ProfilesPage(
            ProfilesAddress(Form(encoded: query)), in: storage.users, counts: counts ?? RecordCounts(storage),
            frame: Self.frame, today: CalendarDate("2026-05-28"))
    }

    @Test("The pages of any condition and order show each profile once, although others are written meanwhile")
    func pages() async throws {
        try await withUsers(170) { storage in
            for (query, count) in [
                ("", 170), ("sort=birthday+desc,+mail", 170), ("sort=mail&where=birthday+>=+1980-01-01", 60),
                ("where=mail+exists&sort=day+desc", 113),
            ] {
                var (address, ids): (String?, [String]) = ("/profiles?\(query)", [])
                while let current = address {
                    let page = try await page(current, storage)
                    #expect(page.rows.count <= ProfilesAddress.pageSize)
                    #expect(page.isFirst == ids.isEmpty)
                    ids += page.rows.map(\.id)
                    address = page.nextAddress
                    let written = try UserID("user-0\(ids.count)")
                    try await storage.users.save(User(id: written))
                    try await storage.users.delete(written)
                }
                #expect(ids.count == count && Set(ids).count == count, "\(query)")
            }
        }
    }

    @Test("The columns sort, and reverse their order")
    func columns() async throws {
        try await withUsers(3) { storage in
            let first = try await page("/profiles?where=mail+exists&sort=birthday", storage)
            #expect(first.columns.map(\.order) == ["none", "none", "ascending", "none"])
            #expect(first.columns[2].address == "/profiles?where=mail%20exists&sort=birthday%20desc")
            #expect(first.rows.map(\.id) == ["user-1001", "user-1002"])
            let reversed = try await page(first.columns[2].address, storage)
            #expect(reversed.columns.map(\.order) == ["none", "none", "descending", "none"])
            #expect(reversed.rows.map(\.id) == ["user-1002", "user-1001"])
            #expect(reversed.columns[2].address == "/profiles?where=mail%20exists&sort=birthday")
            #expect(try await page("/profiles", storage).columns.map(\.order) == ["ascending", "none", "none", "none"])
        }
    }

    @Test("The message for an invalid condition or order has a mark below the mistake, and the table is empty")
    func invalidQuery() async throws {
        try await withUsers(3) { storage in
            let condition = try await page("/profiles?where=birthday+<+1990-13-01", storage)
            #expect(
                condition.filterError?.excerpt.split(separator: "\n") == [
                    "  birthday < 1990-13-01", "             ^",
                ])
            #expect(condition.filter == "birthday < 1990-13-01" && condition.sortError == nil)
            #expect(condition.rows.isEmpty && condition.eventsAddress == nil)
            let sort = try await page("/profiles?sort=shoe", storage)
            #expect(
                sort.sortError?.reason.contains("expected a field") == true && sort.filterError == nil
                    && sort.rows.isEmpty)
        }
    }

    @Test(
        "A position of another order, or none at all, shows the first page", arguments: ["xyz", "%00", "bnVsbA", "e30"])
    func invalidPosition(_ position: String) async throws {
        try await withUsers(60) { storage in
            let other = try #require(try await page("/profiles?sort=birthday,+mail", storage).nextAddress)
            let token = try #require(Form(encoded: other.split(separator: "?")[1])["after"])
            for position in [position, token] {
                let page = try await page("/profiles?sort=birthday&after=\(position)", storage)
                #expect(page.rows.count == ProfilesAddress.pageSize)
            }
        }
    }

    @Test("A page shows the number of all profiles that meet its condition, and the number follows each change")
    func total() async throws {
        try await withUsers(170) { storage in
            let counts = RecordCounts(storage)
            for (query, total) in [("", 170), ("where=mail+exists", 113)] {
                _ = try await counts.count(.init(ProfilesAddress(Form(encoded: query))), within: .seconds(600))
                let first = try await page("/profiles?\(query)", storage, counts: counts)
                #expect(first.total == "50 of \(total) profiles")
            }
            // A page with all profiles needs no count.
            let complete = try await page("/profiles?where=id+%3C+user-1001", storage, counts: counts)
            #expect(complete.total == "1 profile")
            #expect(try await page("/profiles?where=id+%3D+x", storage, counts: counts).total == nil)

            try await storage.users.delete(UserID("user-1000"))
            var total = ""
            // Soon after a count, the page shows the former number.
            while total != "50 of 169 profiles" {
                total = try await page("/profiles", storage, counts: counts).total ?? ""
                #expect(["50 of about 170 profiles", "50 of 169 profiles"].contains(total))
            }
        }
    }

    @Test("Further pages do not count the profiles again")
    func countIsKept() async throws {
        let store = HookedStore(MemoryDataStore())
        let storage = try UserProfileStorage(store: store)
        for number in 0..<170 { try await storage.users.save(User(id: try UserID("user-\(number + 1000)"))) }
        let counts = RecordCounts(storage)
        _ = try await counts.count(.init(ProfilesAddress()), within: .seconds(600))
        let before = store.readCount
        var (address, pageCount): (String?, Int) = ("/profiles", 0)
        while let current = address {
            address = try await page(current, storage, counts: counts).nextAddress
            pageCount += 1
        }
        #expect(pageCount == 4 && store.readCount == before + pageCount)
        await storage.close()
    }

    @Test("An empty table states the reason")
    func emptyTable() async throws {
        try await withUsers(0) { storage in
            let all = try await page("/profiles", storage)
            #expect(all.emptyText == "The store has no profiles.")
            let filtered = try await page("/profiles?where=id+%3D+a", storage)
            #expect(filtered.emptyText == "No profile meets the condition.")
        }
    }

    @Test("The page of birthdays has the coming days in their order")
    func birthdays() async throws {
        try await withUsers(24) { storage in
            let clock = Clock { RunningStudio.now }
            let form = Form(encoded: "days=10")
            let page = try await BirthdaysPage(form, in: storage, frame: Self.frame, clock: clock)
            #expect(page.days == 10)
            #expect(
                page.rows.map { "\($0.date) \($0.id) \($0.age)" } == [
                    "2026-06-01 user-1005 71", "2026-06-01 user-1017 59",
                ])
            let whole = try await BirthdaysPage(Form(), in: storage, frame: Self.frame, clock: clock)
            #expect(whole.days == 30 && !whole.hasMore)
        }
    }
}
