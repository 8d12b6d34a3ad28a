import CAllocations
import UserProfileDomain
import UserProfileKit

/// The benchmark of memory allocations during a read through the use case. It runs on the main actor and therefore on
/// one thread.
struct AllocationBenchmark {
    /// The maximum number of allocations of a read.
    private static let goal = 3.0

    let stage: Stage
    let count: Int

    func run() async throws -> [Comparison] {
        let path = try await stage.store(count: count)
        let storage = try await UserProfileStorage.open(.lmdb(path), buildsIndexes: false)
        let ids = try Profiles.randomNumbers(10_000, of: count).map(Profiles.id)
        let allocations = try await Self.count(ids, storage.users)
        await storage.close()
        try stage.remove(path)
        // Without an allocation counter, there is nothing to report.
        guard let allocations else { return [] }
        return [
            Comparison(
                "allocations in a read", .amount("blocks"), peer: "\(Int(Self.goal))", goal: .atMost(1),
                ours: [allocations], theirs: [Self.goal])
        ]
    }

    @MainActor
    private static func count(_ ids: [UserID], _ users: any Repository<User>) async throws -> Double? {
        let before = allocation_count()
        // Verifies that the counter counts allocations.
        let sample = (0..<100).map { [$0] }
        guard sample.count == 100, allocation_count() - before >= 100 else { return nil }
        for id in ids.prefix(100) { _ = try await users.find(id) }
        let start = allocation_count()
        for id in ids {
            guard try await users.find(id) != nil else { throw Failure("\(id)") }
        }
        return Double(allocation_count() - start) / Double(ids.count)
    }
}
