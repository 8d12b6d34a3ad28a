import DataStoreCore
import DataStoreLMDB
import DataStorePostgres
import Foundation
import UserProfileData
import UserProfileDomain

/// The same profiles in a PostgreSQL store, in a table that is used by direct calls of libpq, and in an LMDB store.
struct PostgresStage {
    /// The environment variable with the URI of a running server.
    static let variable = "USERPROFILE_TEST_POSTGRES"

    /// Whether the variable is set.
    static var isAvailable: Bool { ProcessInfo.processInfo.environment[variable] != nil }

    let stage: Stage
    let count: Int
    let store: PostgresDataStore
    let bare: BarePostgres
    let lmdb: LMDBDataStore

    private let uri: String
    private let lmdbPath: String
    private var schema: String { "bench_\(count)" }
    private var bareSchema: String { "bare_\(count)" }

    init(_ stage: Stage, count: Int) async throws {
        guard let uri = ProcessInfo.processInfo.environment[Self.variable] else {
            throw Failure("no server: set \(Self.variable), or run `make bench-postgres`")
        }
        self.stage = stage
        self.count = count
        self.uri = uri
        lmdbPath = try await stage.store(count: count)
        lmdb = try LMDBDataStore(path: lmdbPath)
        bare = try BarePostgres(uri: uri, schema: "bare_\(count)")
        store = try await PostgresDataStore("\(uri)?schema=bench_\(count)")
        try await Profiles.fill(store, numbers: 0..<count, isChanged: false)
        let entries = try BareReader(BareEnvironment(path: try await stage.store(count: count))).profiles()
        try bare.put(entries, perTransaction: 10_000)
        try bare.run("VACUUM ANALYZE")
        stage.settle()
    }

    /// Returns another store with the same records, as another program would open it.
    func anotherStore() async throws -> PostgresDataStore {
        try await PostgresDataStore("\(uri)?schema=\(schema)")
    }

    /// Returns another connection to the same table.
    func anotherConnection() throws -> BarePostgres { try BarePostgres(uri: uri, schema: bareSchema) }

    /// Closes the stores. Throws ``Failure`` unless the store and the table contain the same profiles, byte for byte.
    func closeAndCompare() async throws {
        await store.close()
        await lmdb.close()
        let count = try bare.differenceCount(fromSchema: schema)
        guard count == 0 else { throw Failure("\(count) profiles differ from those of the peer") }
        try bare.run("DROP SCHEMA \(schema), \(bareSchema) CASCADE")
        try stage.remove(lmdbPath)
    }
}

/// A write of a record, and the entry that the peer writes for it.
struct PutStep: Sendable {
    let key: Key
    let record: Record
    let entry: EncodedEntry

    /// Returns steps that change the mail address of each profile and then restore it.
    static func sequence(_ numbers: [Int], on stage: Stage) async throws -> [PutStep] {
        let mapping = User.mapping()
        return try await SaveStep.sequence(numbers, on: stage).map { step in
            PutStep(
                key: try Key(collection: mapping.collection, id: step.user.id.text),
                record: try mapping.record(of: step.user), entry: step.entry)
        }
    }
}
