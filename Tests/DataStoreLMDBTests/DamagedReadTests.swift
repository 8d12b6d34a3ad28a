import DamageTesting
import DataStoreLMDB
import DataStoreTesting
import Foundation
import TestScale
import Testing

/// Tests of reads of randomly damaged files. Without verified pages, liblmdb may crash, and a damaged node may hide
/// records.
///
/// `USERPROFILE_DAMAGE_SEED` is the seed, `USERPROFILE_DAMAGE_FILES` the number of damaged files.
@Suite struct DamagedReadTests {
    @Test(
        "Reads of a damaged file return correct answers or errors, always if pages are verified and mostly otherwise",
        arguments: [true, false])
    func randomDamage(verifiesPages: Bool) async throws {
        // A fixed seed at the short length.
        let seed: UInt64 =
            TestScale.number("USERPROFILE_DAMAGE_SEED") ?? (TestScale.isFull ? .random(in: 0...UInt64.max) : 1)
        let count = TestScale.number("USERPROFILE_DAMAGE_FILES") ?? TestScale.count(40, full: 1000)
        var generator = SeededGenerator(seed: seed)
        let original = try await FilledStore(using: &generator)
        let image = try DataFileImage(original.path)
        var (wrongFiles, crashes, errorFiles) = (0, 0, 0)
        for number in 0..<count {
            let damages = Damage.ofStructure(image, using: &generator)
            let answers = try await answers(of: original, damages, verifiesPages: verifiesPages)
            let trial: Comment = "seed \(seed), file \(number), \(damages)"
            switch answers {
            case .read(_, let errorCount, let wrongCount, let firstWrong):
                #expect(wrongCount == 0 || !verifiesPages, "\(trial): \(firstWrong)")
                wrongFiles += wrongCount > 0 ? 1 : 0
                errorFiles += errorCount > 0 ? 1 : 0
            case .crash(let status):
                crashes += 1
                #expect(!verifiesPages, "\(trial): \(status)")
            }
        }
        print(
            "damaged reads: seed \(seed), \(verifiesPages ? "verifying" : "plain"), \(count) files, "
                + "\(errorFiles) with errors, \(wrongFiles) with wrong answers, \(crashes) crashes")
        #expect(errorFiles > 0)
        // About one file in thirty; a random seed may choose more of them.
        #expect(wrongFiles <= 5 + count / 10)
    }

    private func answers(
        of original: FilledStore, _ damages: [Damage], verifiesPages: Bool
    ) async throws -> Probe.Answers {
        let directory = FileManager.default.temporaryDirectory.appending(path: "lmdb-damaged-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        var bytes = original.bytes
        for damage in damages { damage.apply(to: &bytes) }
        try Data(bytes).write(to: directory.appending(path: "data.mdb"))
        return try await Probe.answers(
            of: directory.path, from: original.path, in: FilledStore.collections, verifiesPages: verifiesPages)
    }
}
