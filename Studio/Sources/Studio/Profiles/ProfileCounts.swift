import UserProfileKit

/// The numbers of profiles that meet the conditions of pages.
///
/// A count of many profiles takes long. It runs in the background, a page waits for it only for a short time, and it is
/// repeated only if a profile has changed. If profiles change all the time, counts of a condition take at most a
/// twentieth of the time.
actor ProfileCounts {
    /// A number of profiles.
    struct Count: Sendable, Equatable {
        let number: Int
        /// Whether no record has changed since the profiles were counted.
        let isCurrent: Bool
    }

    private struct Entry {
        /// The number of profiles, or `nil` if they were not counted or the count failed.
        var number: Int?
        /// The generation of the store in which the profiles were counted.
        var generation: UInt64?
        var isRunning = false
        /// The time at which the profiles may be counted again.
        var nextStart: ContinuousClock.Instant
        var lastUse: ContinuousClock.Instant
    }

    /// The time for which a page waits for a count.
    static let maximumWait = Duration.milliseconds(50)

    /// The ratio of the time between two counts to the time of a count.
    private static let pauseFactor = 20

    /// The number of conditions whose counts are kept.
    private static let maximumConditionCount = 32

    private let storage: UserProfileStorage
    private let clock = ContinuousClock()
    private var entries: [String: Entry] = [:]
    private var observers = Observers()

    init(_ storage: UserProfileStorage) { self.storage = storage }

    /// Returns the number of profiles that meet the condition of a page.
    ///
    /// - Parameters:
    ///   - address: The address of the page, whose condition is valid.
    ///   - maximumWait: The time to wait for a count.
    /// - Returns: The number, or `nil` if it is not known in time. If the profiles were counted a short time ago, the
    ///   number may be out of date.
    /// - Throws: An error if the store cannot be read.
    func count(_ address: ProfilesAddress, within maximumWait: Duration = maximumWait) async throws -> Count? {
        let generation = try await storage.records.generation()
        let key = start(address, generation)
        if entries[key]?.isRunning == true { await wait(maximumWait, for: key) }
        guard let entry = entries[key], let number = entry.number else { return nil }
        return Count(number: number, isCurrent: entry.generation == generation)
    }

    /// Calls a closure whenever the number of profiles of a page may have become known or different, until the task is
    /// cancelled.
    func observe(_ address: ProfilesAddress, _ changed: @Sendable () -> Void) async {
        let (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        waker.yield()
        var last: Int?
        do {
            let observation = try await storage.records.observe(ChangeScope.collection("users")) { _ in waker.yield() }
            for await _ in wakes {
                let number = try await currentNumber(address)
                if number != last { changed() }
                last = number
            }
            withExtendedLifetime(observation) {}
        } catch {
            // The page shows the error of the store when the browser fetches it.
        }
    }

    /// Waits for a count of the current profiles.
    ///
    /// - Returns: The number, or `nil` if the count failed.
    private func currentNumber(_ address: ProfilesAddress) async throws -> Int? {
        while true {
            try Task.checkCancellation()
            _ = try await count(address, within: .seconds(60))
            guard let entry = entries[address.filter ?? ""], !entry.isRunning else { continue }
            if entry.generation == (try await storage.records.generation()) { return entry.number }
            try await Task.sleep(until: entry.nextStart, clock: clock)
        }
    }

    /// Starts to count the profiles that meet a condition, if no count is running, the known number is out of date, and
    /// the last count was long ago.
    ///
    /// - Returns: The key of the entry.
    private func start(_ address: ProfilesAddress, _ generation: UInt64) -> String {
        let (key, now) = (address.filter ?? "", clock.now)
        if entries[key] == nil { removeOldest() }
        var entry = entries[key] ?? Entry(nextStart: now, lastUse: now)
        entry.lastUse = now
        if !entry.isRunning, entry.generation != generation, entry.nextStart <= now {
            entry.isRunning = true
            Task { await run(address, key, generation) }
        }
        entries[key] = entry
        return key
    }

    /// Counts the profiles that meet a condition. The generation precedes the count, so a change between the two makes
    /// the number out of date.
    private func run(_ address: ProfilesAddress, _ key: String, _ generation: UInt64) async {
        let start = clock.now
        var number: Int?
        do {
            number = try await storage.users.count(where: try address.query().filter)
        } catch {
            // The query of the page has the same error, which the page shows.
        }
        let end = clock.now
        entries[key]?.number = number
        entries[key]?.generation = generation
        entries[key]?.isRunning = false
        entries[key]?.nextStart = end + (end - start) * Self.pauseFactor
        observers.notify()
    }

    /// Waits until a count has ended or a time has passed.
    private func wait(_ duration: Duration, for key: String) async {
        let (number, changes) = observers.add()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in changes where await !self.isRunning(key) { return } }
            group.addTask { [clock] in
                // A cancelled task stops waiting, too.
                do { try await Task.sleep(for: duration, clock: clock) } catch {}
            }
            await group.next()
            group.cancelAll()
        }
        observers.remove(number)
    }

    private func isRunning(_ key: String) -> Bool { entries[key]?.isRunning == true }

    private func removeOldest() {
        guard entries.count >= Self.maximumConditionCount,
            let oldest = entries.filter({ !$0.value.isRunning }).min(by: { $0.value.lastUse < $1.value.lastUse })
        else { return }
        entries[oldest.key] = nil
    }
}
