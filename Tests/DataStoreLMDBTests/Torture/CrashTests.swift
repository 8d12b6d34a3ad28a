import DataStoreTesting
import Testing
import TestScale
import TortureKit

/// Tests of programs that are killed while they write.
@Suite struct CrashTests {
    /// The number of kills. `make torture N=1000` overrides it.
    private static let killCount = TestScale.number("STORE_TORTURE_KILLS") ?? TestScale.count(20, full: 100)

    @Test("After kills, the store contains acknowledged saves and no partial save")
    func killedProcess() async throws {
        let random = SeededGenerator()
        print("crash test: seed \(random.seed)")
        var run = try CrashRun(.honest, random) { try LMDBSubject() }
        for round in 0..<Self.killCount {
            if round > 0, round.isMultiple(of: 10) { try run.startOver() }
            let differences = try await run.round()
            #expect(differences.isEmpty, "seed \(random.seed), round \(round)")
            if !differences.isEmpty { break }
        }
        print("crash test: \(run.summary)")
    }

    /// A test that finds nothing may be ineffective, so it must detect programs with known errors.
    @Test("The test finds a program that acknowledges too early or tears a save", arguments: ["hasty", "torn"])
    func faultyProgram(_ behavior: String) async throws {
        let random = SeededGenerator()
        print("crash test of a \(behavior) program: seed \(random.seed)")
        var run = try CrashRun(try #require(.init(rawValue: behavior)), random) { try LMDBSubject() }
        var differences: [String] = []
        for _ in 0..<50 where differences.isEmpty { differences = try await run.round() }
        #expect(!differences.isEmpty, "seed \(random.seed)")
        print("crash test of a \(behavior) program: \(run.summary); found: \(differences.first ?? "nothing")")
    }
}
