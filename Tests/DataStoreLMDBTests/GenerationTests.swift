import DataStoreCore
import DataStoreLMDB
import Foundation
import Synchronization
import Testing

/// Tests of the generation, which observers compare.
@Suite struct GenerationTests {
    /// A caller that has seen a generation and then reads an older state would never notice the newer state.
    @Test("A read sees at least the state of the generation")
    func generation() async throws {
        let subject = try LMDBSubject()
        let store = try LMDBDataStore(path: subject.path)
        let key = try Key(collection: "c", id: "count")
        @Sendable func count(_ transaction: borrowing ReadTransaction) throws -> UInt64 {
            guard case .integer(let count) = try transaction.record(for: key)?["n"] else { return 0 }
            return UInt64(count)
        }
        try await store.write { try $0.put(["n": .integer(1)], for: key) }
        // Each commit increases the number and the generation by one.
        let difference = try store.generation() - 1
        let isOver = Atomic(false)
        async let ahead = withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int, any Error>) in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        var ahead = 0
                        while !isOver.load(ordering: .relaxed) {
                            let generation = try store.generation()
                            let seen = try store.read(count)
                            if seen < generation - difference { ahead += 1 }
                        }
                        return ahead
                    })
            }
        }
        for number in 2...500 { try await store.write { try $0.put(["n": .integer(Int64(number))], for: key) } }
        isOver.store(true, ordering: .relaxed)
        #expect(try await ahead == 0)
        #expect(try store.generation() == 500 + difference)
        await store.close()
    }
}
