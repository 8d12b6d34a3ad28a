import DataStoreCore
import DataStoreLMDB
import UserProfileDomain
import UserProfileKit

/// The benchmark of reading all profiles: as views without decoding, as views with one decoded field, as records, and
/// as users. A view without decoding still creates the key and verifies the checksum. The peer is a liblmdb cursor that
/// decodes nothing.
struct ScanBenchmark {
    let stage: Stage
    let count: Int

    func run() async throws -> [Comparison] {
        let (path, copy) = (try await stage.store(count: count), try await stage.store(count: count))
        let store = try LMDBDataStore(path: path)
        let users = try UserProfileStorage(store: store).users
        let reader = try BareReader(BareEnvironment(path: copy))
        try await compareResults(store, reader)

        // A round with few profiles would be too short to measure.
        let scanCount = stage.isQuick ? 1 : max(200_000 / count, 1)
        let roundCount = stage.rounds(count > 500_000 ? 9 : 15)
        let scan = try Scan("users")
        func theirs() throws -> Double {
            try Rounds.secondsOnThread { for _ in 0..<scanCount { try check(reader.scan().count) } }
        }
        func views(_ visit: (borrowing RecordView) throws -> Bool) async throws -> Rounds {
            try await Rounds(roundCount) {
                try Rounds.secondsOnThread {
                    for _ in 0..<scanCount {
                        var viewCount = 0
                        try store.read { transaction in
                            try transaction.forEachView(in: scan) { _, view in
                                if try visit(view) { viewCount += 1 }
                                return .next
                            }
                        }
                        try check(viewCount)
                    }
                }
            } theirs: {
                try theirs()
            }
        }
        let unread = try await views { _ in true }
        let oneField = try await views { view in try view.value(of: "birthday") != nil }
        let records = try await Rounds(roundCount) {
            try Rounds.secondsOnThread {
                for _ in 0..<scanCount {
                    var (recordCount, fieldCount) = (0, 0)
                    try store.read { transaction in
                        try transaction.forEach(in: scan) { _, record in
                            recordCount += 1
                            fieldCount += record.count
                            return .next
                        }
                    }
                    try check(recordCount)
                    try check(fieldCount / Profiles.fieldCount)
                }
            }
        } theirs: {
            try theirs()
        }
        let entities = try await Rounds(roundCount) {
            try await Rounds.seconds { for _ in 0..<scanCount { try check(await users.list().count) } }
        } theirs: {
            try theirs()
        }
        let others = try await peers(users, scanCount: scanCount, roundCount: roundCount)
        await store.close()
        try [path, copy].forEach(stage.remove)
        let all = [("views", unread), ("one field", oneField), ("records", records), ("users", entities)]
        return all.map { name, rounds in
            Comparison(
                "scan \(name), \(count) profiles", .perSecond("records"), peer: "bare cursor, nothing decoded",
                goal: .atLeast(0.3), operations: count * scanCount, rounds)
        } + others
    }

    /// Compares a list of users with those of GRDB and of the memory store.
    private func peers(_ users: any Repository<User>, scanCount: Int, roundCount: Int) async throws -> [Comparison] {
        func ours() async throws -> Double {
            try await Rounds.seconds { for _ in 0..<scanCount { try check(await users.list().count) } }
        }
        let sqlite = try SQLiteProfiles.make(count: count, on: stage)
        try SQLiteProfiles.compare(sqlite.list(), await users.list(), "scan")
        let ofSQLite = try await Rounds(roundCount, ours: ours) {
            try Rounds.secondsOnThread { for _ in 0..<scanCount { try check(sqlite.list().count) } }
        }
        try sqlite.remove(on: stage)
        let memory = try UserProfileStorage(store: try await Profiles.memoryStore(count: count))
        let ofMemory = try await Rounds(roundCount, ours: ours) {
            try await Rounds.seconds { for _ in 0..<scanCount { try check(await memory.users.list().count) } }
        }
        await memory.close()
        return [("GRDB", Goal.atLeast(5), ofSQLite), ("memory store", nil, ofMemory)].map { peer, goal, rounds in
            Comparison(
                "scan users, \(count) profiles", .perSecond("records"), peer: peer, goal: goal,
                operations: count * scanCount, rounds)
        }
    }

    private func check(_ found: Int) throws {
        guard found == count else { throw Failure("a scan finds \(found) of \(count) profiles") }
    }

    /// Throws ``Failure`` unless this package and liblmdb return the same keys in the same order, and this package
    /// returns the saved users.
    private func compareResults(_ store: LMDBDataStore, _ reader: BareReader) async throws {
        let ids = try await UserProfileStorage(store: store).users.list().map(\.id.text)
        let keys = try reader.entries().map(\.key).filter { $0.first != 0 }
        guard ids.map({ Array("users\0\($0)".utf8) }) == keys else { throw Failure("the scans differ in their keys") }
        try check(keys.count)
    }
}
