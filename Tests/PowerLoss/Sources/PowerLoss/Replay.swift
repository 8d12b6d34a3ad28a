import Foundation

/// Examines the states that losses of power may leave of a scenario.
struct Replay {
    /// The result of opening a state of the files.
    private enum Finding: Equatable {
        case steps(Int)
        case damage(String)
    }

    struct Summary {
        var operationCount = 0
        var syncCount = 0
        /// The number of states that were built.
        var stateCount = 0
        /// The number of different states, which were opened.
        var openedCount = 0
        /// The number of different states that another loss left while one of them was being opened.
        var secondCount = 0
        /// The number of replays with an ignored sync.
        var ignoredCount = 0
        /// The number of replays with an ignored sync that found a violation.
        var noticedCount = 0

        mutating func add(_ other: Summary) {
            operationCount += other.operationCount
            syncCount += other.syncCount
            stateCount += other.stateCount
            openedCount += other.openedCount
            secondCount += other.secondCount
        }
    }

    private let scenario: any Scenario
    private let scale: Scale
    private let folder: String
    private var random: Random
    /// The findings, by the digest of the state.
    private var findings: [Int: Finding] = [:]
    private var folderCount = 0
    private(set) var summary = Summary()

    private(set) var operations: [Operation] = []
    private var disk = Disk(DiskState(nodes: [.directory([:])]), [:])

    init(_ scenario: any Scenario, _ scale: Scale, folder: String) {
        self.scenario = scenario
        self.scale = scale
        self.folder = folder
        random = Random(seed: scale.seed)
    }

    /// Runs the program of the scenario and records its calls.
    mutating func record() async throws {
        let path = newFolder()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try await scenario.prepare(path)
        let (state, nodes) = try DiskState.read(path)
        disk = Disk(state, nodes)
        // The files of both names do not exist. They are marks in the output of strace.
        _ = FileManager.default.isReadableFile(atPath: "\(path)/power-loss-begin")
        let all = try await Recording.record(on: path) { try await scenario.run(path) }
        _ = FileManager.default.isReadableFile(atPath: "\(path)/power-loss-end")
        try FileManager.default.removeItem(atPath: path)
        var known = disk
        for operation in all {
            guard known.contains(operation) else { continue }
            operations.append(operation)
            if known.syncName(of: operation) != nil { summary.syncCount += 1 }
            _ = known.apply(operation)
        }
        summary.operationCount = operations.count
    }

    /// The index and the name of each sync that was recorded.
    var syncs: [(index: Int, name: String)] {
        var (disk, syncs) = (disk, [(index: Int, name: String)]())
        for (index, operation) in operations.enumerated() {
            if let name = disk.syncName(of: operation) { syncs.append((index, name)) }
            _ = disk.apply(operation)
        }
        return syncs
    }

    /// Examines a loss of power after each operation.
    ///
    /// - Parameter ignored: The index of a sync that makes nothing durable. Then the examination ends with the first
    ///   violation, and with the next sync of the same kind.
    /// - Returns: The violations.
    /// - Throws: The errors of writing and removing files.
    mutating func run(ignoring ignored: Int? = nil) async throws -> [String] {
        var (disk, promised, violations) = (disk, 0, [String]())
        var reference = disk
        for (index, operation) in operations.enumerated() {
            _ = reference.apply(operation)
            var isOther = disk.apply(operation, ignoringSync: index == ignored) || index == 0
            if case .acknowledge(let number) = operation.effect, number > promised {
                promised = number
                isOther = true
            }
            if let ignored, index > ignored, disk.pending.count == reference.pending.count { break }
            guard isOther, index >= ignored ?? 0 else { continue }
            let losses = Loss.all(of: disk.pending, randomCount: scale.subsetCount, &random)
            for loss in losses {
                let finding = try await finding(in: loss.state(of: disk), examinesOpening: ignored == nil)
                if let violation = violation(of: finding, promised) {
                    violations.append("\(scenario.name), operation \(index) (\(operation.call)), \(loss): \(violation)")
                    if ignored != nil { return violations }
                }
            }
        }
        return violations
    }

    private func violation(of finding: Finding, _ promised: Int) -> String? {
        switch finding {
        case .damage(let description): description
        case .steps(let count): count < promised ? "\(count) steps are there, \(promised) were promised" : nil
        }
    }

    /// Opens a state unless it was opened before.
    private mutating func finding(in state: DiskState, examinesOpening: Bool) async throws -> Finding {
        summary.stateCount += 1
        let digest = state.digest
        if let known = findings[digest] { return known }
        let path = newFolder()
        let nodes = try state.write(to: path)
        summary.openedCount += 1
        var (finding, opening) = try await open(path)
        if examinesOpening, case .steps = finding {
            do {
                try await scenario.proceed(in: path)
            } catch {
                finding = .damage("the work cannot continue: \(error)")
            }
        }
        try FileManager.default.removeItem(atPath: path)
        findings[digest] = finding
        if examinesOpening, case .steps = finding {
            finding = try await second(Disk(state, nodes), opening, finding)
            findings[digest] = finding
        }
        return finding
    }

    private mutating func open(_ path: String) async throws -> (finding: Finding, operations: [Operation]) {
        var finding = Finding.damage("")
        let operations = await Recording.record(on: path) {
            do {
                finding = .steps(try await scenario.stepCount(in: path))
            } catch {
                finding = .damage("\(error)")
            }
        }
        return (finding, operations)
    }

    /// Examines another loss of power while a state is being opened. It must not change the finding.
    private mutating func second(_ disk: Disk, _ opening: [Operation], _ first: Finding) async throws -> Finding {
        var (disk, isSampled) = (disk, false)
        for operation in opening where disk.contains(operation) {
            guard disk.apply(operation) else { continue }
            // Each opening writes to the lock file, so this is sampled.
            if disk.pending.allSatisfy(disk.isOfLockFile) {
                isSampled = isSampled || summary.openedCount % scale.lockFileSampling == 0
                guard isSampled else { continue }
            }
            for loss in Loss.all(of: disk.pending, randomCount: scale.secondSubsetCount, &random) {
                let state = loss.state(of: disk)
                let digest = state.digest
                if findings[digest] == nil {
                    summary.secondCount += 1
                    let path = newFolder()
                    _ = try state.write(to: path)
                    findings[digest] = try await open(path).finding
                    try FileManager.default.removeItem(atPath: path)
                }
                if findings[digest] != first {
                    return .damage(
                        "after another loss (\(operation.call), \(loss)): \(findings[digest].map { "\($0)" } ?? ""), "
                            + "before: \(first)")
                }
            }
        }
        return first
    }

    private mutating func newFolder() -> String {
        folderCount += 1
        return "\(folder)/\(scenario.name)-\(folderCount)"
    }
}
