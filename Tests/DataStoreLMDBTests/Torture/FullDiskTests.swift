import DataStoreCore
import Foundation
import Testing
import TortureKit

/// Tests with a full disk, or a file that has reached its size limit. Saved data remain intact, and saving continues
/// when there is space.
@Suite struct FullDiskTests {
    private let subject: LMDBSubject

    init() throws { subject = try LMDBSubject() }

    /// Numbers of free bytes: with 0 a write fails at its first byte, with the others somewhere in between.
    private static let roomLeft = [0, 4096, 6000, 50_000, 300_000]

    @Test(
        "Saves up to a limit of the file size are kept, and saving continues when the limit is raised",
        arguments: roomLeft, [1, 8])
    func limitedFile(_ byteCount: Int, _ taskCount: Int) async throws {
        let outcome = try await TortureProgram.run(
            ["fill", subject.path, "limit", "\(byteCount)", "\(taskCount)"])
        expectFill(outcome, taskCount)
    }

    @Test(
        "Saves up to a full disk are kept, and saving continues when there is room",
        .enabled("a file system can be mounted here", TortureProgram.canMount), arguments: roomLeft, [1, 8])
    func fullDisk(_ byteCount: Int, _ taskCount: Int) async throws {
        let outcome = try await TortureProgram.run(
            script: "\"$0\" fill '\(disk)/store' '\(disk)/ballast' \(byteCount) \(taskCount)",
            withFileSystemOn: disk, megabytes: 2)
        expectFill(outcome, taskCount)
    }

    @Test("A first save beyond the file size limit fails and leaves no store")
    func noNewStoreForLimit() async throws {
        // The lock file has 65,664 bytes. The data file then has space for its first pages, but not for the record.
        let byteCounts = [0, 1, 4096, 65_663, 65_664, 70_000, 100_000]
        let outcome = try await TortureProgram.run(
            ["first", subject.directory.path, "limit"] + byteCounts.map(String.init))
        expectFirstSaves(outcome, byteCounts.count)
    }

    @Test(
        "A first save on a full disk fails and leaves no store",
        .enabled("a file system can be mounted here", TortureProgram.canMount))
    func noNewStoreForFullDisk() async throws {
        // The lock file has 17 pages. The first pages of the data file follow: two meta pages, some for the format
        // version, then the pages of the record.
        let byteCounts = [0, 1, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 30, 40].map { $0 * 4096 }
        let outcome = try await TortureProgram.run(
            script: "\"$0\" first '\(disk)' '\(disk)/ballast' \(byteCounts.map(String.init).joined(separator: " "))",
            withFileSystemOn: disk, megabytes: 8)
        expectFirstSaves(outcome, byteCounts.count)
    }

    private var disk: String { subject.directory.path }

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
        #expect(outcome.lines.count { $0 == "again" } == count)
    }

    /// Every failure has the code `full`.
    private func expectFull(_ outcome: TortureProgram.Outcome) {
        let failures = Set(outcome.lines("rejected"))
        let others = failures.filter { !$0.hasPrefix("full ") }
        #expect(others.isEmpty, "\(failures)")
    }
}
