import DataStoreTesting
import Foundation
import Testing
import TortureKit

/// Programs that are killed while they save.
@Suite struct CrashTests {
    /// How often a program is killed; `make torture N=1000` says another number.
    private static let killCount = ProcessInfo.processInfo.environment["STORE_TORTURE_KILLS"].flatMap { Int($0) } ?? 100

    @Test func whatWasAcknowledgedIsThereAndNothingIsHalfThere() async throws {
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

    /// A test that finds nothing may be blind: it must find a program out that does not do what it says.
    @Test(arguments: ["hasty", "torn"])
    func aProgramThatDoesNotKeepItsWordIsFoundOut(_ honesty: String) async throws {
        let random = SeededGenerator()
        print("crash test of a \(honesty) program: seed \(random.seed)")
        var run = try CrashRun(try #require(.init(rawValue: honesty)), random) { try LMDBSubject() }
        var differences: [String] = []
        for _ in 0..<50 where differences.isEmpty { differences = try await run.round() }
        #expect(!differences.isEmpty, "seed \(random.seed)")
        print("crash test of a \(honesty) program: \(run.summary); found: \(differences.first ?? "nothing")")
    }
}
