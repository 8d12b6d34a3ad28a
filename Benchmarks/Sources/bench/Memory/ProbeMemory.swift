import ArgumentParser
import DataStoreCore
import DataStoreLMDB
import DataStoreQueries
import UserProfileDomain
import UserProfileKit

/// The command of the process that ``MemoryBenchmark`` starts. It opens and uses a store, and prints the anonymous
/// memory after each step.
struct ProbeMemory: AsyncParsableCommand {
    static let name = "probe-memory"

    static let configuration = CommandConfiguration(
        commandName: name, abstract: "Print the anonymous memory of a process that uses a store.")

    /// The steps after which the memory is measured.
    static let steps = ["opening", "reads", "a scan"]

    @Argument(help: "The directory of the store.")
    var path: String

    @Option(help: "The number of profiles in the store.")
    var profiles: Int

    @Option(help: "The number of profiles to read.")
    var reads: Int

    @Flag(help: "Use bare calls of liblmdb instead of this package.")
    var bare = false

    @Flag(help: "Migrate the store, and print only the peak memory.")
    var migrate = false

    func run() async throws {
        if migrate { return try await migrateStore() }
        if bare { try useBare() } else { try await useStore() }
    }

    private func useStore() async throws {
        let store = try LMDBDataStore(path: path)
        let users = try UserProfileStorage(store: store).users
        _ = try await users.find(Profiles.id(0))
        try report()
        for _ in 0..<reads where try await users.find(Profiles.id(Int.random(in: 0..<profiles))) == nil {
            throw Failure("a profile is missing")
        }
        try report()
        let scan = try Scan("users")
        var count = 0
        try store.read { transaction in
            try transaction.forEach(in: scan) { _, _ in
                count += 1
                return .next
            }
        }
        try report(count)
        await store.close()
    }

    private func migrateStore() async throws {
        let schema = try Schema([.init("users")], migrations: MigrationBenchmark.migrations)
        let store = SchemaStore(try LMDBDataStore(path: path), schema: schema)
        var peak = 0
        var failure: (any Error)?
        try await store.migrate { _, _ in
            do { peak = max(peak, try AnonymousMemory.kibibytes()) } catch { failure = error }
        }
        if let failure { throw failure }
        print(peak)
        await store.close()
    }

    private func useBare() throws {
        let reader = try BareReader(BareEnvironment(path: path))
        try reader.read(Profiles.id(0).text) { _ in }
        try report()
        for _ in 0..<reads { try reader.read(Profiles.id(Int.random(in: 0..<profiles)).text) { _ in } }
        try report()
        try report(reader.scan().count)
    }

    private func report(_ scanned: Int? = nil) throws {
        guard scanned ?? profiles == profiles else { throw Failure("the scan does not find all profiles") }
        print(try AnonymousMemory.kibibytes())
    }
}
