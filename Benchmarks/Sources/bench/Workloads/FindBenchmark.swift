import DataStoreCore
import DataStoreQueries
import DataStoreLMDB
import UserProfileDomain
import UserProfileKit

/// The benchmark of queries with an index: users by mail address, the birthdays of the next days, and the first page by
/// birthday. One peer is GRDB with the same indexes. Other peers are operations of this package: a read by id, and the
/// same page out of a few profiles.
struct FindBenchmark {
    private static let pageCount = 50
    private static let fewCount = 1000

    let stage: Stage
    let count: Int

    func run() async throws -> [Comparison] {
        let (path, fewPath) = (
            try await stage.indexedStore(count: count), try await stage.indexedStore(count: Self.fewCount)
        )
        let (store, fewStore) = (try LMDBDataStore(path: path), try LMDBDataStore(path: fewPath))
        let (users, few) = (
            try UserProfileStorage(store: store).users, try UserProfileStorage(store: fewStore).users
        )
        let peer = try SQLiteProfiles.make(
            count: count, indexedBy: ["comparable", "birthday", "monthDay"], on: stage)

        var comparisons = try await findByMailAddress(users, peer)
        comparisons += try await upcomingBirthdays(users, peer)
        comparisons += try await firstPage(users, few, peer)
        await store.close()
        await fewStore.close()
        try [path, fewPath].forEach(stage.remove)
        try peer.remove(on: stage)
        return comparisons
    }

    // MARK: By mail address

    private func findByMailAddress(_ users: any Repository<User>, _ peer: SQLiteProfiles) async throws -> [Comparison] {
        let profiles = UserUseCase(users: users)
        let selected = try Profiles.randomNumbers(stage.operations(20_000), of: count).map { try Profiles.user($0) }
        let addresses = selected.compactMap(\.mailAddress)
        let comparables = selected.map(\.comparableMailAddress)
        for (user, comparable) in zip(selected, comparables).prefix(1000) {
            let found = try await profiles.users(withMailAddress: MailAddress(comparable))
            guard found == [user] else { throw Failure("\(user.id) is not found by its mail address") }
            try SQLiteProfiles.compare(peer.list(comparable: comparable), found, "find by mail address")
        }
        func ours() async throws -> Double {
            try await Rounds.seconds {
                for address in addresses {
                    guard try await profiles.users(withMailAddress: address).count == 1 else {
                        throw Failure("\(address)")
                    }
                }
            }
        }
        let byID = try await Rounds(stage.rounds(11), ours: ours) {
            try await Rounds.seconds {
                for user in selected { guard try await users.find(user.id) != nil else { throw Failure("\(user.id)") } }
            }
        }
        let sqlite = try await Rounds(stage.rounds(7), ours: ours) {
            try Rounds.secondsOnThread {
                for comparable in comparables {
                    guard try peer.list(comparable: comparable).count == 1 else { throw Failure(comparable) }
                }
            }
        }
        let name = "find by mail address, \(count) profiles"
        return [
            Comparison(
                name, .microseconds(per: "find"), peer: "read by id", goal: .atMost(2.5), operations: selected.count,
                byID
            ),
            Comparison(
                name, .microseconds(per: "find"), peer: "GRDB", goal: .atMost(0.2), operations: selected.count, sqlite),
        ]
    }

    // MARK: Birthdays

    private func upcomingBirthdays(_ users: any Repository<User>, _ peer: SQLiteProfiles) async throws -> [Comparison] {
        let profiles = UserUseCase(users: users)
        let (today, last) = (
            try CalendarDate(year: 2026, month: 8, day: 15), try CalendarDate(year: 2026, month: 8, day: 21)
        )
        let days = ("08-15", "08-21")
        func ours() async throws -> [User] { try await profiles.birthdays(from: today, within: 6).map(\.user) }
        func theirs() throws -> [SQLiteProfile] {
            // The profiles are in the order of this package: upcoming birthdays by date, and those of one day by id.
            try peer.list(monthDays: days, bornUntil: "2026-08-21")
                .sorted { ($0.birthday?.suffix(5) ?? "", $0.id) < ($1.birthday?.suffix(5) ?? "", $1.id) }
        }
        let found = try await ours()
        try SQLiteProfiles.compare(theirs(), found, "birthdays of seven days")
        let explanation = try await users.explain(
            Query(where: .between(\.monthDay, MonthDay(today), MonthDay(last)) && \.birthday <= Birthday(last)))
        guard explanation.foundCount == found.count, !found.isEmpty else {
            throw Failure("the explanation counts \(explanation.foundCount) of \(found.count) birthdays")
        }
        let repeats = stage.isQuick ? 1 : max(20_000 / found.count, 1)
        let rounds = try await Rounds(stage.rounds(7)) {
            try await Rounds.seconds { for _ in 0..<repeats { _ = try await ours() } }
        } theirs: {
            try Rounds.secondsOnThread { for _ in 0..<repeats { _ = try theirs() } }
        }
        let name = "birthdays of seven days, \(count) profiles"
        return [
            Comparison(
                name, .microseconds(per: "birthday"), peer: "GRDB", goal: .atMost(0.2),
                operations: repeats * found.count, rounds),
            Comparison(
                name, .amount("entries"), peer: "birthdays found", goal: .atMost(1.05),
                ours: [Double(explanation.entryCount)], theirs: [Double(found.count)]),
        ]
    }

    // MARK: Pages

    private func firstPage(
        _ users: any Repository<User>, _ few: any Repository<User>, _ peer: SQLiteProfiles
    ) async throws -> [Comparison] {
        let query = Query<User>(sort: [.ascending(\.birthday)], limit: Self.pageCount)
        let found = try await users.find(query).entities
        try SQLiteProfiles.compare(peer.firstByBirthday(Self.pageCount), found, "first page by birthday")
        let repeats = stage.operations(1000)
        func page(_ users: any Repository<User>) async throws -> Double {
            try await Rounds.seconds {
                for _ in 0..<repeats {
                    let count = try await users.find(query).entities.count
                    guard count == Self.pageCount else { throw Failure("a page has \(count) users") }
                }
            }
        }
        let name = "first \(Self.pageCount) by birthday, \(count) profiles"
        var comparisons: [Comparison] = []
        if count != Self.fewCount {
            let growth = try await Rounds(stage.rounds(9)) {
                try await page(users)
            } theirs: {
                try await page(few)
            }
            comparisons.append(
                Comparison(
                    name, .microseconds(per: "page"), peer: "\(Self.fewCount) profiles", goal: .atMost(1.5),
                    operations: repeats, growth))
        }
        let sqlite = try await Rounds(stage.rounds(9)) {
            try await page(users)
        } theirs: {
            try Rounds.secondsOnThread {
                for _ in 0..<repeats {
                    let count = try peer.firstByBirthday(Self.pageCount).count
                    guard count == Self.pageCount else { throw Failure("a page has \(count) profiles") }
                }
            }
        }
        comparisons.append(
            Comparison(
                name, .microseconds(per: "page"), peer: "GRDB", goal: .atMost(0.2), operations: repeats, sqlite))
        return comparisons
    }
}
