import DamageTesting
import DataStoreTesting
import Foundation
import TestScale
import Testing

/// Tests with random damage of an LMDB file: no command may give a wrong answer, crash or hang.
///
/// `USERPROFILE_DAMAGE_SEED` is the seed, `USERPROFILE_DAMAGE_FILES` the number of damaged files. To reproduce a
/// failure, set `USERPROFILE_DAMAGE_FILE` to the number of the file, which is then the only one.
@Suite struct DamagedFileTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    @Test("Commands on a damaged LMDB file return the correct answer or an error")
    func randomDamage() async throws {
        // A fixed seed at the short length.
        let seed: UInt64 =
            TestScale.number("USERPROFILE_DAMAGE_SEED") ?? (TestScale.isFull ? .random(in: 0...UInt64.max) : 1)
        let count = TestScale.number("USERPROFILE_DAMAGE_FILES") ?? TestScale.count(40, full: 1000)
        print("damaged files: seed \(seed)")
        let onlyNumber: Int? = TestScale.number("USERPROFILE_DAMAGE_FILE")
        var generator = SeededGenerator(seed: seed)
        let commands = try await DamagedCommands(cli, using: &generator)
        var totals: [DamagedCommands.Verdict: Int] = [:]
        for number in 0..<count {
            let damages = Damage.ofStructure(commands.original, using: &generator)
            if let onlyNumber, number != onlyNumber { continue }
            for (command, verdict) in try await commands.verdicts(after: damages) {
                totals[verdict, default: 0] += 1
                let isSound = verdict == .right || verdict == .error
                #expect(isSound, "seed \(seed), file \(number), \(damages): \(command) → \(verdict)")
            }
        }
        let counts = totals.map { "\($0.key): \($0.value)" }.sorted()
        print("damaged files: \(count) files, \(counts.joined(separator: ", "))")
        // A single file may have only one kind of result.
        #expect(onlyNumber != nil || totals[.right, default: 0] > 0 && totals[.error, default: 0] > 0)
    }
}
