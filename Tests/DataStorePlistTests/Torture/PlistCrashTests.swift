import DataStoreTesting
import Testing
import TestScale
import TortureKit

/// Tests of programs that are killed while they save to a property-list file.
@Suite struct PlistCrashTests {
    /// The number of kills. `make torture N=1000` overrides it.
    private static let killCount = TestScale.number("STORE_TORTURE_KILLS") ?? TestScale.count(20, full: 100)

    @Test("After kills, the file contains acknowledged saves and no partial save")
    func killedProcess() async throws {
        let random = SeededGenerator()
        print("crash test of the file: seed \(random.seed)")
        var run = try CrashRun(.honest, random) { try PlistSubject() }
        for round in 0..<Self.killCount {
            if round > 0, round.isMultiple(of: 10) { try run.startOver() }
            let differences = try await run.round()
            #expect(differences.isEmpty, "seed \(random.seed), round \(round)")
            if !differences.isEmpty { break }
        }
        print("crash test of the file: \(run.summary)")
    }

    /// A test that finds nothing may be ineffective, so it must detect programs with known errors.
    @Test(
        "The test finds a program that acknowledges too early or tears a save", arguments: [CrashBehavior.hasty, .torn])
    func faultyProgram(_ behavior: CrashBehavior) async throws {
        let random = SeededGenerator()
        var run = try CrashRun(behavior, random) { try PlistSubject() }
        var differences: [String] = []
        for _ in 0..<50 where differences.isEmpty { differences = try await run.round() }
        #expect(!differences.isEmpty, "seed \(random.seed)")
    }
}
