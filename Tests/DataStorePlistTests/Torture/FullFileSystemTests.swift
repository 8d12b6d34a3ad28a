import Foundation
import Testing
import TortureKit

/// Tests with a full disk, or a file that has reached its size limit. Saved data remain intact, and saving continues
/// when there is space.
@Suite struct FullFileSystemTests {
    private let subject: PlistSubject

    init() throws { subject = try PlistSubject() }

    /// Numbers of free bytes: with 0 a write fails at its first byte, with the others somewhere in between.
    private static let roomLeft = [0, 6000, 300_000]

    @Test(
        "Saves up to a limit of the file size are kept, and saving continues when the limit is raised",
        arguments: roomLeft, [1, 8])
    func limitedFile(_ byteCount: Int, _ taskCount: Int) async throws {
        let outcome = try await TortureProgram.run(
            subject.storeArguments + ["fill", subject.path, "limit", "\(byteCount)", "\(taskCount)"])
        expectFill(outcome, taskCount)
    }

    @Test(
        "Saves up to a full disk are kept, and saving continues when there is room",
        .enabled("a file system can be mounted here", TortureProgram.canMount), arguments: roomLeft, [1, 8])
    func fullDisk(_ byteCount: Int, _ taskCount: Int) async throws {
        let disk = subject.directory.path
        let outcome = try await TortureProgram.run(
            script: "\"$0\" --store plist fill '\(disk)/p.plist' '\(disk)/ballast' \(byteCount) \(taskCount)",
            withFileSystemOn: disk, megabytes: 8)
        expectFill(outcome, taskCount)
    }

    @Test("A first save beyond the file size limit fails and leaves no file")
    func noNewFileForLimit() async throws {
        let byteCounts = [0, 1, 4096, 100_000]
        let outcome = try await TortureProgram.run(
            subject.storeArguments + ["first", subject.directory.path, "limit"] + byteCounts.map(String.init))
        expectFirstSaves(outcome, byteCounts.count)
    }

    @Test(
        "A first save on a full disk fails and leaves no file",
        .enabled("a file system can be mounted here", TortureProgram.canMount))
    func noNewFileForFullDisk() async throws {
        let byteCounts = [0, 1, 2, 10, 30].map { $0 * 4096 }
        let disk = subject.directory.path
        let words = byteCounts.map(String.init).joined(separator: " ")
        let outcome = try await TortureProgram.run(
            script: "\"$0\" --store plist first '\(disk)' '\(disk)/ballast' \(words)",
            withFileSystemOn: disk, megabytes: 8)
        expectFirstSaves(outcome, byteCounts.count)
    }

    private func expectFill(_ outcome: TortureProgram.Outcome, _ taskCount: Int) {
        #expect(outcome.isDone, "\(outcome)")
        // Every task was rejected once, and one of them a second time.
        #expect(outcome.lines("rejected").count == taskCount + 1, "\(outcome)")
        expectFull(outcome)
        // The records are complete while the disk is full, after another write was rejected, when there is space again,
        // and after reopening.
        #expect(outcome.lines("kept").count == 4, "\(outcome)")
        #expect(outcome.lines.contains("again"))
    }

    private func expectFirstSaves(_ outcome: TortureProgram.Outcome, _ count: Int) {
        #expect(outcome.isDone, "\(outcome)")
        #expect(outcome.lines("rejected").count == count, "\(outcome)")
        expectFull(outcome)
        #expect(outcome.lines("kept") == Array(repeating: ["0", "1"], count: count).flatMap(\.self), "\(outcome)")
    }

    /// Every failure has the code `full`.
    private func expectFull(_ outcome: TortureProgram.Outcome) {
        let others = outcome.lines("rejected").filter { !$0.hasPrefix("full ") }
        #expect(others == [])
    }
}
