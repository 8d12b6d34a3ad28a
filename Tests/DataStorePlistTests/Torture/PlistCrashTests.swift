import DataStoreTesting
import Foundation
import Testing
import TortureKit

/// Programs that are killed while they save to a property-list file.
@Suite struct PlistCrashTests {
    /// How often a program is killed; `make torture N=1000` says another number.
    private static let killCount = ProcessInfo.processInfo.environment["STORE_TORTURE_KILLS"].flatMap { Int($0) } ?? 100

    @Test func whatWasAcknowledgedIsThereAndNothingIsHalfThere() async throws {
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

    /// A test that finds nothing may be blind: it must find a program out that does not do what it says.
    @Test(arguments: [CrashHonesty.hasty, .torn])
    func aProgramThatDoesNotKeepItsWordIsFoundOut(_ honesty: CrashHonesty) async throws {
        let random = SeededGenerator()
        var run = try CrashRun(honesty, random) { try PlistSubject() }
        var differences: [String] = []
        for _ in 0..<50 where differences.isEmpty { differences = try await run.round() }
        #expect(!differences.isEmpty, "seed \(random.seed)")
    }
}
