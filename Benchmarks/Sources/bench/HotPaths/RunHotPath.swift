import ArgumentParser
import DataStoreCore
import DataStoreQueries
import DataStoreLMDB
import DataStorePlist
import UserProfileData
import UserProfileDomain
import UserProfileKit

/// The command that repeats one operation, for a tool that counts instructions. The difference between two runs with
/// different numbers of repetitions excludes the start of the program.
struct RunHotPath: AsyncParsableCommand {
    static let name = "hot-path"

    static let configuration = CommandConfiguration(
        commandName: name, abstract: "Repeat an operation, for a tool that counts instructions.")

    @Argument(help: "The operation to repeat.")
    var hotPath: HotPath

    @Argument(help: "The directory of the store. If it does not exist, it is created.")
    var path: String

    @Option(help: "The number of profiles in the store.")
    var profiles = 2000

    @Option(help: "The number of repetitions.")
    var times: Int

    func run() async throws {
        if hotPath == .plistRead { return try await readPlist() }
        if hotPath.isOfEntities { return try await runEntities() }
        if hotPath.isOfSealedFields { return try await runSealed() }
        let store = try LMDBDataStore(path: path)
        if try store.read({ try $0.collections() }).isEmpty {
            try await Profiles.fill(path, numbers: 0..<profiles)
            try await Profiles.buildIndexes(path)
        }
        try await run(UserProfileStorage(store: store).users, store)
        await store.close()
    }

    /// Reads from a property list with the same profiles.
    private func readPlist() async throws {
        let store = try PlistDataStore(path: path + ".plist")
        let users = try UserProfileStorage(store: store).users
        let some = try (0..<500).map { try Profiles.user($0 * 7919 % profiles) }
        if try await users.count() == 0 {
            let mapping = User.mapping()
            let all = try (0..<profiles).map { try Profiles.user($0) }
            try await store.write { transaction in
                for user in all {
                    try transaction.put(
                        mapping.record(of: user), for: Key(collection: mapping.collection, id: user.id.text))
                }
            }
        }
        // The pause lets the file's timestamps age. While they are recent, the store cannot trust them and checks the
        // file more thoroughly.
        try await Task.sleep(for: .milliseconds(200))
        for time in 0..<times { try checkFound(await users.find(some[time % some.count].id)) }
        await store.close()
    }

    private func run(_ users: any Repository<User>, _ store: LMDBDataStore) async throws {
        let useCase = UserUseCase(users: users)
        // Each run uses the same profiles in a scattered order, so that the counts are reproducible. The number of
        // profiles does not depend on the number of repetitions, so the difference excludes creating and checking them.
        let some = try (0..<500).map { try Profiles.user($0 * 7919 % profiles) }
        for user in some { try check(await users.find(user.id) == user) }
        func selectedUser(_ time: Int) -> User { some[time % some.count] }
        switch hotPath {
        case .read, .plistRead:
            for time in 0..<times { try checkFound(await users.find(selectedUser(time).id)) }
        case .find:
            for time in 0..<times {
                guard let address = selectedUser(time).mailAddress else { continue }
                try check(await useCase.users(withMailAddress: address).count == 1)
            }
        case .page:
            let query = Query<User>(sort: [.ascending(\.birthday)], limit: 50)
            for _ in 0..<times { try check(await users.find(query).entities.count == 50) }
        case .birthdays:
            let first = try CalendarDate(year: 2026, month: 8, day: 15)
            let count = try await useCase.birthdays(from: first, within: 6).count
            try check(count > 0)
            for _ in 0..<times { try check(await useCase.birthdays(from: first, within: 6).count == count) }
        case .scan:
            for _ in 0..<times { try check(await users.list().count == profiles) }
        case .save:
            for time in 0..<times {
                let user = selectedUser(time)
                try await useCase.saveMailAddress(user.mailAddress, of: user.id)
            }
        case .put:
            let mapping = User.mapping()
            let times = times
            let records = SchemaStore(store, schema: try Schema([mapping.schemaCollection]))
            try await records.write { transaction in
                for time in 0..<times {
                    // Each save uses the values of another profile, so that all index entries change.
                    let (user, other) = (some[time % some.count], some[(time + 1 + time / some.count) % some.count])
                    try transaction.put(
                        mapping.record(of: other), for: Key(collection: mapping.collection, id: user.id.text))
                }
            }
        default:
            let mapping = User.mapping()
            // As many users as in the longest run of a count, so that the difference excludes creating them.
            let users = try (profiles..<profiles + max(times, 2000)).map { try Profiles.user($0) }
            let times = times
            try await store.write { transaction in
                for user in users.prefix(times) {
                    try transaction.put(
                        mapping.record(of: user), for: Key(collection: mapping.collection, id: user.id.text))
                }
            }
        }
    }

    // `!= nil` would compare two optional users and would be counted.
    private func checkFound(_ user: User?) throws { if case nil = user { try check(false) } }

    func check(_ isRight: Bool) throws {
        guard isRight else { throw Failure("\(hotPath) returned a wrong result") }
    }
}
