import DataStoreCore
import DataStorePostgres
import Synchronization
import Testing

@Suite(.enabled(if: PostgresSubject.server != nil, "USERPROFILE_TEST_POSTGRES names no server"))
struct LostCommitTests {
    /// The tokens of other transactions, as many as a row of the table `writers` holds.
    private static let others = "decode(repeat('ab', 128), 'hex')"

    /// What happens to the tokens in the row of a writer after its commit, whose answer is lost.
    enum Tokens: CaseIterable {
        /// They are unchanged.
        case unchanged
        /// The row contains the token of the previous commit, but not the token of this one, as if it had failed.
        case previous
        /// Other transactions have replaced all tokens.
        case replaced

        var sql: String {
            switch self {
            case .unchanged: "tokens"
            case .previous: "substring(\(LostCommitTests.others) FOR 112) || substring(tokens FROM 17 FOR 16)"
            case .replaced: LostCommitTests.others
            }
        }
    }

    @Test("If the answer to a commit is lost, the tokens of the writer show the outcome", arguments: Tokens.allCases)
    func lostAnswer(_ tokens: Tokens) async throws {
        let subject = PostgresSubject()
        let relay = try ServerRelay(to: PostgresSubject.server ?? "")
        defer { relay.stop() }
        let store = try await PostgresDataStore(subject.uri(of: relay.uri))
        let key = try Key(collection: "c", id: "1")
        try await store.write { try $0.put(["n": .integer(1)], for: key) }

        let update = "UPDATE \(subject.schema).writers SET tokens = \(tokens.sql) WHERE generation > 0"
        relay.loseNextCommit { _ = try? PlainPostgres().run(update) }
        let runCount = Mutex(0)
        var code: DataStoreError.Code?
        do {
            try await store.write { transaction in
                runCount.withLock { $0 += 1 }
                try transaction.put(["n": .integer(2)], for: key)
            }
        } catch let error as DataStoreError {
            code = error.code
        }
        #expect(code == (tokens == .replaced ? .outcomeUnknown : nil))
        #expect(runCount.withLock { $0 } == (tokens == .previous ? 2 : 1))
        // The store remains usable.
        try await store.write { try $0.put(["n": .integer(3)], for: key) }
        #expect(try await store.record(for: key)?["n"] == .integer(3))
        await store.close()
    }
}
