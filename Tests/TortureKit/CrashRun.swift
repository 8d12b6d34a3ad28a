import DataStoreCore
import DataStoreQueries

/// The rounds of a crash test. Each starts the program on the store, kills it at a random moment, and checks the
/// contents.
package struct CrashRun {
    /// When the program is killed: some time after it starts, after it begins to open the store, or after its first
    /// save.
    private enum KillPoint: Int { case start, opening, save }

    /// The result of the rounds.
    package struct Summary: Sendable, CustomStringConvertible {
        var killCounts = [0, 0, 0]
        var acknowledgedCount = 0
        var unacknowledgedCount = 0
        /// The number of unacknowledged steps that became visible only after the next write.
        var lateCount = 0
        var storeCount = 0

        package var description: String {
            """
            \(killCounts.reduce(0, +)) kills (\(killCounts[0]) before opening, \(killCounts[1]) before a save was \
            acknowledged, \(killCounts[2]) later), \(storeCount) stores, \(acknowledgedCount) saves acknowledged, \
            \(unacknowledgedCount) more found whole, \(lateCount) of them after the next write
            """
        }
    }

    package private(set) var summary = Summary()
    private let behavior: CrashBehavior
    private let makeSubject: @Sendable () throws -> any TortureSubject
    private var random: any RandomNumberGenerator & Sendable
    private var subject: any TortureSubject
    private var model: CrashModel
    private var seed: UInt64
    /// The number of writes by this process.
    private var ownWriteCount: Int64 = 0

    /// - Parameters:
    ///   - behavior: Whether the program keeps its promises.
    ///   - random: The random number generator for the steps and the moments of the kills.
    ///   - makeSubject: Creates an empty location for a store.
    /// - Throws: The errors of `makeSubject`.
    package init(
        _ behavior: CrashBehavior, _ random: any RandomNumberGenerator & Sendable,
        _ makeSubject: @escaping @Sendable () throws -> any TortureSubject
    ) throws {
        self.behavior = behavior
        self.makeSubject = makeSubject
        self.random = random
        subject = try makeSubject()
        seed = self.random.next()
        model = CrashModel(seed: seed)
        summary.storeCount = 1
    }

    /// Continues with a new store.
    package mutating func startOver() throws {
        subject = try makeSubject()
        seed = random.next()
        model = CrashModel(seed: seed)
        ownWriteCount = 0
        summary.storeCount += 1
    }

    /// Runs one round.
    ///
    /// - Returns: The differences between the contents of the store and the expected ones.
    package mutating func round() async throws -> [String] {
        // If this process keeps the store open, a lock of the killed process remains in the lock file. Otherwise no
        // process has the store open in between, and the next one finds the files as the killed process left them.
        let isKeptOpen = Bool.random(using: &random)
        let kept = isKeptOpen ? try await subject.open() : nil
        var (differences, lines) = try await runAndKill()
        differences += model.apply(lines)
        let store: any DataStore
        if let kept { store = kept } else { store = try await subject.open() }
        differences += try await subject.findings(of: store).map { "check: \($0)" }
        differences += try await compare(store)
        let aheadCount = model.aheadCount
        try await store.write { try $0.increment(Self.ownKey()) }
        ownWriteCount += 1
        // A commit that was interrupted after it was written but before it was published becomes visible at the next
        // write, because LMDB also keeps the number of the last transaction in the lock file. The commit was not
        // acknowledged, but it must be complete.
        differences += try await compare(store)
        await store.close()
        summary.acknowledgedCount += lines.count
        summary.unacknowledgedCount += model.aheadCount
        summary.lateCount += model.aheadCount - aheadCount
        return differences
    }

    private mutating func compare(_ store: any DataStore) async throws -> [String] {
        let (old, ownWriteCount) = (model, ownWriteCount)
        let (model, differences) = try await store.read { transaction in
            var model = old
            let own = try transaction.record(for: Self.ownKey())?["count"] ?? .integer(0)
            let differences = try model.differences(in: transaction)
            return (
                model,
                differences + (own == .integer(ownWriteCount) ? [] : ["own record: \(own), not \(ownWriteCount)"])
            )
        }
        self.model = model
        return try await differences + Self.indexFindings(in: store)
    }

    /// Returns the findings of the index check.
    private static func indexFindings(in store: any DataStore) async throws -> [String] {
        let reports = try await SchemaStore(store).checkIndexes()
        return reports.filter { $0.state != .ready || !$0.matchesRecords }.map { "\($0)" }
    }

    private static func ownKey() throws -> Key { try Key(collection: "own", id: "count") }

    private mutating func runAndKill() async throws -> (differences: [String], lines: [String]) {
        let (moment, delay) = randomMoment()
        let arguments =
            subject.storeArguments + ["crash", behavior.rawValue, subject.path, "\(seed)"]
            + model.nextSteps.map(String.init)
        var lines: [String] = []
        let outcome = try await TortureProgram.run(arguments) { session in
            let kill = session.kill
            try await withThrowingTaskGroup(of: Void.self) { group in
                for phase in 0... {
                    if phase == moment.rawValue {
                        group.addTask {
                            try await Task.sleep(for: delay)
                            kill()
                        }
                    }
                    guard let line = try await session.line() else { break }
                    lines.append(line)
                }
                try await group.waitForAll()
            }
        }
        var differences: [String] = []
        if !outcome.wasKilled {
            differences.append("the program was not killed: \(outcome.status) \(lines.suffix(3)) \(outcome.error)")
        }
        summary.killCounts[min(lines.count, 2)] += 1
        if lines.first == "opening" { lines.removeFirst() }
        return (differences, lines)
    }

    /// Prefers early moments if the store contains no save yet, so that its creation is interrupted, and late moments
    /// otherwise.
    private mutating func randomMoment() -> (KillPoint, Duration) {
        let isYoung = model.nextSteps.allSatisfy { $0 == 0 }
        let moments: [KillPoint] =
            isYoung
            ? [.start, .opening, .opening, .opening, .opening, .save]
            : [.start, .opening, .save, .save, .save, .save, .save]
        let moment = moments.randomElement(using: &random) ?? .save
        let microseconds =
            switch moment {
            case .start: 10_000
            case .opening: isYoung ? 4000 : 10_000
            case .save: 80_000
            }
        return (moment, .microseconds(Int.random(in: 0..<microseconds, using: &random)))
    }
}
