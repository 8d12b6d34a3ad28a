import Observation
import UserProfileKit

/// The numbers of records that pages show: of a collection, or of the profiles that meet a condition.
///
/// The store estimates the size of a large collection. A count of many profiles takes long. It runs in the background,
/// a page waits for it only for a short time, and it is repeated only if a record has changed. If records change all
/// the time, counts of a subject take at most a twentieth of the time.
@Observable @MainActor
final class RecordCounts {
    /// What is counted.
    struct Subject: Hashable, Sendable {
        let collection: String
        /// The condition in the query language, or `nil` for all records. Only profiles have one.
        var filter: String?
        /// Whether an estimate is good enough.
        let isEstimated: Bool

        /// All records of a collection.
        init(collection: String) {
            self.collection = collection
            isEstimated = true
        }

        /// The profiles of a page, whose condition is valid.
        init(_ address: ProfilesAddress) {
            collection = "users"
            filter = address.filter
            isEstimated = false
        }
    }

    /// A number of records.
    struct Count: Sendable, Equatable {
        let number: Int
        /// Whether the records were counted, not estimated, and no record has changed since.
        let isCurrent: Bool
    }

    private struct Entry {
        /// The number of records, or `nil` if they were not counted or the count failed.
        var number: Int?
        var isExact = true
        /// The generation of the store in which the records were counted.
        var generation: UInt64?
        var isRunning = false
        /// The time at which the records may be counted again.
        var nextStart: ContinuousClock.Instant
        var lastUse: ContinuousClock.Instant
    }

    /// The time for which a page waits for a count.
    nonisolated static let maximumWait = Duration.milliseconds(50)

    /// The ratio of the time between two counts to the time of a count.
    private static let pauseFactor = 20

    /// The number of subjects whose counts are kept. The page of the store shows up to 100 collections.
    private static let maximumSubjectCount = 160

    private let storage: UserProfileStorage
    private let clock = ContinuousClock()
    @ObservationIgnored private var entries: [Subject: Entry] = [:]

    /// The number of completed counts. A page that shows counts observes it.
    private(set) var revision = 0

    nonisolated init(_ storage: UserProfileStorage) { self.storage = storage }

    /// Returns the number of records of a subject.
    ///
    /// - Parameters:
    ///   - subject: What to count.
    ///   - maximumWait: The time to wait for a count.
    /// - Returns: The number, or `nil` if it is not known in time. If the records were counted a short time ago, the
    ///   number may be out of date.
    /// - Throws: An error if the store cannot be read.
    func count(_ subject: Subject, within maximumWait: Duration = maximumWait) async throws -> Count? {
        let generation = try await generation()
        start(subject, generation)
        if entries[subject]?.isRunning == true { await wait(maximumWait, for: subject) }
        guard let entry = entries[subject], let number = entry.number else { return nil }
        return Count(number: number, isCurrent: entry.isExact && entry.generation == generation)
    }

    /// Returns the numbers of records of several subjects that are known within one waiting time.
    func counts(_ subjects: [Subject]) async throws -> [Subject: Count] {
        let deadline = clock.now + Self.maximumWait
        let generation = try await generation()
        for subject in subjects { start(subject, generation) }
        var counts: [Subject: Count] = [:]
        for subject in subjects {
            counts[subject] = try await count(subject, within: max(.zero, deadline - clock.now))
        }
        return counts
    }

    /// Returns the number of records of a subject, now and whenever it has changed. It is `nil` if the count failed.
    nonisolated func updates(of subject: Subject) -> Updates<Int?> {
        storage.updates(in: subject.collection) { try await self.currentNumber(subject) }
    }

    /// Waits for a count of the current records.
    ///
    /// - Returns: The number, or `nil` if the count failed.
    private func currentNumber(_ subject: Subject) async throws -> Int? {
        while true {
            try Task.checkCancellation()
            _ = try await count(subject, within: .seconds(60))
            guard let entry = entries[subject], !entry.isRunning else { continue }
            if entry.generation == (try await generation()) { return entry.number }
            try await Task.sleep(until: entry.nextStart, clock: clock)
        }
    }

    /// Starts to count, if no count is running, the known number is out of date, and the last count was long ago.
    private func start(_ subject: Subject, _ generation: UInt64) {
        let now = clock.now
        if entries[subject] == nil { removeOldest() }
        var entry = entries[subject] ?? Entry(nextStart: now, lastUse: now)
        entry.lastUse = now
        if !entry.isRunning, entry.generation != generation, entry.nextStart <= now {
            entry.isRunning = true
            Task { await run(subject, generation) }
        }
        entries[subject] = entry
    }

    /// Counts. The generation precedes the count, so a change between the two makes the number out of date.
    private func run(_ subject: Subject, _ generation: UInt64) async {
        let start = clock.now
        var count: (number: Int, isExact: Bool)?
        do {
            count = try await current(subject)
        } catch {
            // The page reads the records, too, and shows the error.
        }
        let end = clock.now
        entries[subject]?.number = count?.number
        entries[subject]?.isExact = count?.isExact ?? true
        entries[subject]?.generation = generation
        entries[subject]?.isRunning = false
        entries[subject]?.nextStart = end + (end - start) * Self.pauseFactor
        revision += 1
    }

    nonisolated private func generation() async throws -> UInt64 { try await storage.records.generation() }

    nonisolated private func current(_ subject: Subject) async throws -> (number: Int, isExact: Bool) {
        guard subject.isEstimated else {
            let filter = try subject.filter.map { try Filter<User>(parsing: $0) }
            return (try await storage.users.count(where: filter), true)
        }
        let scan = try Scan(subject.collection)
        return try await storage.records.read { transaction in
            if let size = try transaction.estimatedCount(of: subject.collection) { return size }
            var count = 0
            try transaction.forEachView(in: scan) { _, _ in
                count += 1
                return .next
            }
            return (count, true)
        }
    }

    /// Waits until a count has ended or a time has passed.
    private func wait(_ duration: Duration, for subject: Subject) async {
        let (waits, waiter) = AsyncStream.makeStream(of: Void.self)
        let observation = PageObservation { [self] in
            _ = revision
            return !isRunning(subject)
        } changed: {
            waiter.finish()
        }
        let timer = Task {
            try await Task.sleep(for: duration, clock: clock)
            waiter.finish()
        }
        for await _ in waits {}
        timer.cancel()
        withExtendedLifetime(observation) {}
    }

    private func isRunning(_ subject: Subject) -> Bool { entries[subject]?.isRunning == true }

    private func removeOldest() {
        guard entries.count >= Self.maximumSubjectCount,
            let oldest = entries.filter({ !$0.value.isRunning }).min(by: { $0.value.lastUse < $1.value.lastUse })
        else { return }
        entries[oldest.key] = nil
    }
}
