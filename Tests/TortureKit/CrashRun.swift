import DataStoreCore
import DataStoreQueries

/// Rounds of one crash test: each starts the program on the store, kills it at some moment, and looks at what is there.
package struct CrashRun {
    /// When the program is killed: some time after it starts, after it is about to open the store, or after its first
    /// save.
    private enum Moment: Int { case start, opening, save }

    /// What the rounds came to.
    package struct Summary: Sendable, CustomStringConvertible {
        var killCounts = [0, 0, 0]
        var acknowledgedCount = 0
        var unacknowledgedCount = 0
        /// How many of these only after the next write.
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
    private let honesty: CrashHonesty
    private let makeSubject: @Sendable () throws -> any TortureSubject
    private var random: any RandomNumberGenerator & Sendable
    private var subject: any TortureSubject
    private var model: CrashModel
    private var seed: UInt64
    /// How often this process has written to the store itself.
    private var ownWriteCount: Int64 = 0

    /// - Parameters:
    ///   - honesty: whether the program does what it says.
    ///   - random: what the steps and the moments of the kills depend on.
    ///   - makeSubject: makes an empty place for a store.
    /// - Throws: what `makeSubject` throws.
    package init(
        _ honesty: CrashHonesty, _ random: any RandomNumberGenerator & Sendable,
        _ makeSubject: @escaping @Sendable () throws -> any TortureSubject
    ) throws {
        self.honesty = honesty
        self.makeSubject = makeSubject
        self.random = random
        subject = try makeSubject()
        seed = self.random.next()
        model = CrashModel(seed: seed)
        summary.storeCount = 1
    }

    /// Goes on with a new store.
    package mutating func startOver() throws {
        subject = try makeSubject()
        seed = random.next()
        model = CrashModel(seed: seed)
        ownWriteCount = 0
        summary.storeCount += 1
    }

    /// Does one round.
    ///
    /// - Returns: what is in the store other than it must be.
    package mutating func round() async throws -> [String] {
        // Where this process has the store open all the time, a lock is left behind by one who died with it. Otherwise
        // nobody has it open in between, and the next one finds it as it was left.
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
        // A commit that was cut off after it was written but before others were told (LMDB keeps the number of the last
        // transaction in the lock file, too) is seen from the next write on: nobody was promised it, but it is whole.
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

    /// What is wrong with the indexes.
    private static func indexFindings(in store: any DataStore) async throws -> [String] {
        let reports = try await SchemaStore(store).checkIndexes()
        return reports.filter { $0.index.state != .ready || !$0.matchesRecords }.map { "\($0)" }
    }

    private static func ownKey() throws -> Key { try Key(collection: "own", id: "count") }

    private mutating func runAndKill() async throws -> (differences: [String], lines: [String]) {
        let (moment, delay) = randomMoment()
        let arguments =
            subject.storeArguments + ["crash", honesty.rawValue, subject.path, "\(seed)"]
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

    /// In a store without a save rather while it is made, otherwise rather later.
    private mutating func randomMoment() -> (Moment, Duration) {
        let isYoung = model.nextSteps.allSatisfy { $0 == 0 }
        let moments: [Moment] =
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
