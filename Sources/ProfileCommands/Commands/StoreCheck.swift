import ArgumentParser

/// The command `store check`, which checks a store and can rebuild its indexes.
struct StoreCheck: ProgramCommand {
    static let help: CommandHelp = """
        check: Check a store for damage.

        Reads every page, record and index, and changes none of them. Other programs can use the store meanwhile. An \
        LMDB store needs permission to write to lock.mdb, except on a read-only file system.

        Prints one line for each problem, then the command that repairs it, and exits with 74. With the key of sealed \
        fields, the command also opens each sealed value.

        EXAMPLES
          profile-cli store check && profile-cli store backup /backups/profiles
          profile-cli store check --rebuild-indexes
        """

    @Flag(help: "Rebuild the indexes of all collections first.")
    var rebuildIndexes = false

    @OptionGroup(title: "Common Options") var options: StoreOptions

    var keepsFinishedSteps: Bool { rebuildIndexes }

    func run(in session: Session) async throws {
        if rebuildIndexes {
            // This call fails if no store exists. Opening the store would create it.
            _ = try await session.location.info()
            try await ProgressLine.during { progress in
                try await session.open().records.rebuildIndexes(progress: progress.showIndex)
                await session.opened.close()
            }
            if session.format == .text { Console.note("rebuilt all indexes of \(session.location)") }
        }
        let findings = try await ProgressLine.during("checking the file") { progress in
            // The number of records of a damaged store may be unknown.
            let total = progress.isShown ? try? await session.location.info().recordCount : nil
            let findings = try await session.location.check { index, count in
                // The check of records and indexes cannot be cancelled, and changes nothing.
                Interruption.exitIfInterrupted(saying: "interrupted; nothing was changed")
                progress.show(count, outOf: total, in: "checking \(index.map { "the index \($0)" } ?? "the records")")
            }
            return try await findings + options.location.findings(in: session)
        }
        try await Self.report(findings, in: session)
    }

    /// Prints the findings, then the numbers of records and indexes of an intact store.
    ///
    /// - Throws: The error of an intact store whose records cannot be counted, after its findings are printed.
    ///   ``CommandError`` if the store is damaged.
    static func report(_ findings: [String], in session: Session) async throws {
        var info: StoreInfo?
        var failure: (any Error)?
        // The indexes of a damaged store may be unknown.
        if findings.isEmpty {
            do { info = try await session.location.info() } catch { failure = error }
        }
        let advice = info?.indexes.compactMap(\.advice) ?? []
        try session.write(
            findings.map(\.printable),
            json: [
                "store": session.location.description, "isClean": findings.isEmpty, "findings": findings,
                "oldIndexes": advice,
            ])
        if let failure { throw failure }
        guard let info else { throw CommandError(.inputOutput, nextStep(for: findings, session.location)) }
        guard session.format == .text else { return }
        for sentence in advice { Console.note(sentence) }
        let count = info.recordCount.counted("record")
        let indexes = info.indexes.count == 1 ? "1 index" : "\(info.indexes.count) indexes"
        Console.note("checked \(session.location): \(count) and \(indexes), no damage found")
    }

    /// Returns a sentence that names the command that repairs the damage.
    private static func nextStep(for findings: [String], _ location: StorageLocation) -> String {
        if findings.allSatisfy({ $0.hasPrefix("an entry of the index ") || $0.hasPrefix("the index ") }) {
            return "no record is lost; run profile-cli store check --rebuild-indexes --store \(location)"
        }
        return switch location.kind.scheme {
        case "lmdb":
            "run profile-cli store restore BACKUP --store \(location), or copy the intact records with "
                + "profile-cli store salvage lmdb:NEW --store \(location)"
        case "plist":
            "run profile-cli store restore BACKUP --store \(location), or keep the intact records with "
                + "profile-cli store recover --store \(location)"
        default: "restore a backup of \(location)"
        }
    }
}
