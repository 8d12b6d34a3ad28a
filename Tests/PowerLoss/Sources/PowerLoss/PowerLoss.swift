import Foundation

/// Tests the promises of stores about losses of power: `make power-loss`.
///
///     PowerLoss [--short] [--seed SEED] [--only NAME]    examines the scenarios
///     PowerLoss --list                                   prints the names of the scenarios
///     PowerLoss --count NAME FOLDER                      records a scenario, and prints the number of each call
@main
struct PowerLoss {
    static func main() async throws {
        var arguments = CommandLine.arguments.dropFirst()
        var scale = Scale(seed: UInt64.random(in: 0..<1_000_000), isShort: false)
        var only: String?
        while let argument = arguments.popFirst() {
            switch argument {
            case "--short": scale.isShort = true
            case "--seed": scale.seed = arguments.popFirst().flatMap { UInt64($0) } ?? 0
            case "--only": only = arguments.popFirst()
            case "--list": return scale.scenarios.forEach { print($0.name) }
            case "--count":
                return try await count(arguments.popFirst() ?? "", arguments.popFirst() ?? "", scale)
            default:
                print("unknown argument: \(argument)")
                exit(2)
            }
        }
        let parent = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
        let folder = "\(parent)/power-loss-\(getpid())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var failures: [String] = []
        var total = Replay.Summary()
        let seed = scale.seed
        for round in 0..<scale.roundCount {
            scale.seed = seed &+ UInt64(round)
            report("seed \(scale.seed)")
            for scenario in scale.scenarios where only == nil || scenario.name == only {
                failures += try await examine(scenario, scale, folder, &total)
            }
        }
        try FileManager.default.removeItem(atPath: folder)
        for failure in failures.prefix(50) { print("FAILED \(failure)") }
        print(
            "\(total.operationCount) operations, \(total.syncCount) syncs, \(total.stateCount) states, "
                + "\(total.openedCount) opened, \(total.secondCount) after a second loss, "
                + "\(total.noticedCount) of \(total.ignoredCount) ignored syncs noticed")
        print("power-loss: \(failures.isEmpty ? "passed" : "\(failures.count) failures") (seed \(seed))")
        exit(failures.isEmpty ? 0 : 1)
    }

    /// Examines a scenario, and verifies that the examination notices an ignored sync.
    private static func examine(
        _ scenario: any Scenario, _ scale: Scale, _ folder: String, _ total: inout Replay.Summary
    ) async throws -> [String] {
        let clock = ContinuousClock()
        let start = clock.now
        var replay = Replay(scenario, scale, folder: folder)
        try await replay.record()
        var failures = try await replay.run()
        let examined = clock.now
        let summary = replay.summary
        total.add(summary)
        report(
            "\(scenario.name): \(summary.operationCount) operations, \(summary.syncCount) syncs, "
                + "\(summary.stateCount) states, \(summary.openedCount) opened, "
                + "\(summary.secondCount) after a second loss, \(failures.count) violations, \(examined - start)")
        var noticed: [String: [Bool]] = [:]
        for sync in replay.syncs {
            if scale.isShort, noticed[sync.name]?.contains(true) == true { continue }
            noticed[sync.name, default: []].append(try await !replay.run(ignoring: sync.index).isEmpty)
        }
        for (name, results) in noticed.sorted(by: { $0.key < $1.key }) {
            total.ignoredCount += results.count
            total.noticedCount += results.count(where: \.self)
            report("    without one \(name): \(results.count(where: \.self)) of \(results.count) noticed")
            if results.contains(true) || scenario.unneededSyncs.contains(name) { continue }
            failures.append("\(scenario.name): no ignored \(name) was noticed")
        }
        report("    \(clock.now - examined)")
        return failures
    }

    /// Records a scenario in an existing folder, and prints the number of each call, for the comparison with strace.
    private static func count(_ name: String, _ folder: String, _ scale: Scale) async throws {
        guard let scenario = scale.scenarios.first(where: { $0.name == name }) else { exit(2) }
        var replay = Replay(scenario, scale, folder: folder)
        try await replay.record()
        let calls = Dictionary(grouping: replay.operations, by: \.call).mapValues(\.count)
        for (call, count) in calls.sorted(by: { $0.key < $1.key }) where !["", "store"].contains(call) {
            print(call, count)
        }
    }

    /// Prints a line at once, also to a pipe.
    private static func report(_ line: String) {
        print(line)
        fflush(nil)
    }
}
