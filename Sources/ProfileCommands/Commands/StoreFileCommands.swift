import ArgumentParser

/// The command `store compact`, which removes the deleted values of a store.
struct StoreCompact: ProgramCommand {
    static let help: CommandHelp = """
        compact: Rewrite a store without its deleted values.

        LMDB keeps deleted values in free pages until later saves reuse them. This command replaces the data file with \
        a checked copy of the records. Stop other programs first; otherwise it exits with 75.

        EXAMPLE
          profile-cli delete --user vision --yes && profile-cli store compact
        """

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in session: Session) async throws {
        let location = session.location
        let before = try location.fileByteCount()
        try await ProgressLine.during("compacting \(location)") { _ in try await location.compact() }
        let after = try location.fileByteCount()
        try session.report(
            "compacted \(location): \((before ?? 0).byteCountText) before, \((after ?? 0).byteCountText) after",
            json: ["store": location.description, "fileByteCountBefore": before, "fileByteCount": after])
    }
}

/// The command `store copy`, which copies all records to another store.
struct StoreCopy: ProgramCommand {
    static let help: CommandHelp = """
        copy: Copy a store to another store of any kind.

        Copies one snapshot of all records and index definitions, and compares it with the source before the commit. \
        Other programs see all of the copy or nothing. If the target has records, --replace is required.

        EXAMPLES
          profile-cli store copy lmdb:profiles plist:profiles.plist
          profile-cli store copy plist:profiles.plist lmdb:profiles --replace
        """

    @Argument(help: "The store to copy: lmdb:PATH, plist:PATH or postgres://…", completion: .store)
    var from: String

    @Argument(help: "The target: lmdb:PATH, plist:PATH or postgres://…", completion: .store)
    var to: String

    @Flag(help: "Replace the contents of the target.")
    var replace = false

    @OptionGroup var confirmation: ConfirmationOptions

    @OptionGroup(title: "Common Options") var options: FormatOptions

    func run(in session: Session) async throws {
        let source = try StorageLocation(from, kinds: session.program.stores)
        let target = try StorageLocation(to, kinds: session.program.stores)
        try target.requireParentDirectory()
        if replace, !confirmation.yes, try await target.exists() {
            let count = try await target.info().recordCount
            try await confirmation.confirm(count > 0 ? "replace \(count.counted("record")) of \(target)" : nil)
        }
        let count = try await ProgressLine.during { line in
            let total = line.isShown ? try await source.info().recordCount : nil
            return try await source.copy(to: target, replacing: replace) { line.show($0, outOf: total) }
        }
        try session.report("copied and verified \(count.counted("record"))", json: ["recordCount": count])
    }
}

/// The command `store salvage`, which copies the intact records of a damaged LMDB store to another store.
struct StoreSalvage: ProgramCommand {
    static let help: CommandHelp = """
        salvage: Copy the intact records of a damaged LMDB store to another store.

        Copies what is intact to the target, a store of any kind, and changes nothing else. Stop the programs that \
        write. Prints one line for each damaged page and lost record, and exits with 74 if there are any.

        EXAMPLE
          profile-cli store salvage lmdb:new --store lmdb:damaged
        """

    @Argument(help: "The target: lmdb:PATH or plist:PATH.", completion: .store)
    var target: String

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in session: Session) async throws {
        let target = try StorageLocation(target, kinds: session.program.stores)
        try target.requireParentDirectory()
        await Interruption.install()
        let summary = try await session.location.salvage(into: target)
        try session.report(
            summary, "copied \(summary.savedCount.counted("record")) from \(session.location) to \(target)",
            next: "stop all programs, and use \(target) in place of \(session.location)")
    }
}

/// The command `store recover`, which replaces a damaged property list with a file of its intact records.
struct StoreRecover: ProgramCommand {
    static let help: CommandHelp = """
        recover: Restore a damaged property list from its intact parts.

        Replaces the property list with its intact records and entries, and keeps the damaged file as NAME.damaged-1. \
        Prints one line for each damaged part, and exits with 74 if something is lost.

        EXAMPLE
          profile-cli store recover --store plist:profiles.plist
        """

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in session: Session) async throws {
        let summary = try await session.location.recover()
        let count = summary.savedCount.counted("record")
        try session.report(
            summary,
            summary.damagedFile.map { "recovered \(session.location) with \(count); the damaged file is kept at \($0)" }
                ?? "\(session.location) is not damaged: \(count)",
            next: "enter the lost values again, or run profile-cli store restore BACKUP --store \(session.location)")
    }
}

extension Session {
    /// Writes the losses of a damaged store, and the number of saved records.
    ///
    /// - Parameters:
    ///   - report: The report of the store.
    ///   - text: A message about the saved records.
    ///   - next: What the user should do next if something is lost.
    /// - Throws: ``CommandError`` if something is lost.
    fileprivate func report(_ report: RecoveryReport, _ text: String, next: String) throws {
        if format == .text { try Console.write(report.losses.map(\.printable)) }
        try self.report(
            text,
            json: [
                "recordCount": report.savedCount, "losses": report.losses, "damagedFile": report.damagedFile,
            ])
        guard report.losses.isEmpty else { throw CommandError(.inputOutput, "the store was damaged; \(next)") }
    }
}
