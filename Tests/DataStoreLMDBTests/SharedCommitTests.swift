import DataStoreCore
import DataStoreLMDB
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Tests of commits that concurrent writes share.
@Suite struct SharedCommitTests {
    @Test("Callers that write again join the writes that wait", .timeLimit(.minutes(2)))
    func repeatedWrites() async throws {
        let subject = try LMDBSubject()
        let store = try await subject.open()
        let (taskCount, writeCount) = (64, 8)
        var commitCounts: [UInt64] = []
        // If each commit contained only the pending writes, twice as many commits would be necessary, because further
        // writes arrive during each commit. On a busy machine, some rounds may need more commits.
        while commitCounts.count < 5, commitCounts.last.map({ $0 > UInt64(writeCount * 3 / 2) }) ?? true {
            commitCounts.append(try await commitCount(of: taskCount, writing: writeCount, to: store))
        }
        #expect(commitCounts.contains { $0 <= UInt64(writeCount * 3 / 2) }, "\(commitCounts)")
        await store.close()
    }

    /// Returns the number of commits in which tasks write a number of times each.
    private func commitCount(of taskCount: Int, writing writeCount: Int, to store: any DataStore) async throws -> UInt64
    {
        try await store.write { try $0.put([:], for: Key(collection: "c", id: "id")) }
        let before = try await store.generation()
        try await withThrowingTaskGroup { group in
            for task in 0..<taskCount {
                group.addTask {
                    for number in 0..<writeCount {
                        let key = try Key(collection: "c", id: "\(task)")
                        try await store.write { transaction in
                            // The first commit has one write, and the others arrive while it runs. The pauses make the
                            // commits long compared to the pauses of a busy machine.
                            usleep(2000)
                            try transaction.put(["number": .integer(Int64(number))], for: key)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        return try await store.generation() - before
    }
}
