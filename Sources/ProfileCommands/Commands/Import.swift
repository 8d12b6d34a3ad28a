import ArgumentParser

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The command `import`, which saves users from a file or standard input.
struct Import: ProgramCommand, SessionOptions {
    static let help: CommandHelp = """
        import: Import profiles from JSON Lines or CSV.

        Each line is a profile with id, mailAddress and birthday: a JSON object, or comma-separated values under a \
        line with these names. A missing or empty value removes the saved one.

        An invalid line stops the import with 65; correct it and continue with --resume, which also continues after \
        kill -9 or a power loss. With --on-error skip, invalid lines are reported and skipped.

        EXAMPLES
          profile-cli import users.jsonl
          profile-cli import users.csv --dry-run
          profile-cli import users.csv --resume --on-error skip
          zcat users.csv.gz | profile-cli import - --format csv
        """

    @Argument(
        help: ArgumentHelp("The input file; - is standard input.", valueName: "file|-"),
        completion: .file(extensions: ["jsonl", "ndjson", "csv"]))
    var file = "-"

    @Option(name: .shortAndLong, help: "The format (default: from the file name extension, otherwise jsonl).")
    var format: ProfileFormat?

    @Option(help: "What to do with an invalid line.")
    var onError: ImportOptions.ErrorPolicy = .stop

    @Flag(help: "Ignore columns and members with unknown names.")
    var ignoreUnknown = false

    @Flag(help: "Continue an interrupted import of the same input.")
    var resume = false

    @Flag(name: [.long, .customShort("n")], help: "Report all invalid lines and save nothing.")
    var dryRun = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The maximum number of profiles per transaction.", valueName: "number"))
    var batch = 100_000

    @OptionGroup(title: "Common Options") var location: LocationOptions
    @OptionGroup(title: "Common Options") var output: OutputOptions

    var options: Import { self }
    var storeLocation: LocationOptions? { location }

    func validate() throws {
        if dryRun, resume { throw UsageError("--dry-run and --resume cannot be combined") }
        if batch < 1 { throw UsageError("--batch must be 1 or more, not \(batch)") }
    }

    func run(in session: Session) async throws {
        let input = try InputBytes(file)
        if input.isTerminal { Console.note("reading profiles from the terminal; press Ctrl-D to end the input") }
        await Interruption.install()
        if dryRun { return try validateLines(of: input, session) }
        try await run(input, session.open(saving: true), session)
    }

    private var importing: ImportOptions {
        ImportOptions(
            source: file == "-" ? file : URL(filePath: file).standardizedFileURL.path,
            format: format ?? .ofFile(named: file), errorPolicy: onError, ignoresUnknown: ignoreUnknown,
            resumes: resume, batchCount: batch)
    }

    /// Validates all lines of the input without saving anything.
    private func validateLines(of input: InputBytes, _ session: Session) throws {
        let progress = ProgressLine(of: "profile")
        defer { progress.clear() }
        let checkpoint = try importing.dryRun(skipped: progress.report) { checkpoint in
            progress.show(checkpoint, of: input)
        } from: {
            try input.next()
        }
        let invalid = checkpoint.skippedCount > 0 ? ", and \(checkpoint.skippedCount.counted("invalid line"))" : ""
        progress.end()
        try session.report(
            "found \(checkpoint.savedCount.counted("valid profile"))\(invalid); nothing was saved",
            json: ["validCount": checkpoint.savedCount, "invalidCount": checkpoint.skippedCount])
        if checkpoint.skippedCount > 0 { throw ExitCode.badInput }
    }

    private func run(_ input: InputBytes, _ storage: UserProfileStorage, _ session: Session) async throws {
        let importing = importing
        let progress = ProgressLine(of: "profile")
        let old = try await storage.unfinishedImport(importing)
        var hasSaved = resume
        let checkpoint: ImportCheckpoint
        do {
            checkpoint = try await storage.importUsers(importing, skipped: progress.report) { checkpoint in
                hasSaved = true
                progress.show(checkpoint, of: input)
            } from: {
                try input.next()
            }
        } catch {
            progress.clear()
            let code = Interruption.hasOccurred ? nil : ExitCode.reporting(error, isVerbose: session.isVerbose)
            if (error as? DataStoreError)?.code != .unsupported {
                let saved = try await storage.unfinishedImport(importing)
                // Another import of this input may have left a checkpoint.
                Console.warn((hasSaved || saved != old ? saved : nil)?.summary ?? "no profile was imported")
            }
            Interruption.exitIfInterrupted()
            throw code ?? ExitCode.tryAgain
        }
        let skipped = checkpoint.skippedCount > 0 ? ", skipped \(checkpoint.skippedCount.counted("line"))" : ""
        progress.end()
        try session.report(
            "imported \(checkpoint.savedCount.counted("profile")) in \(progress.duration)\(skipped)",
            json: ["importedCount": checkpoint.savedCount, "skippedCount": checkpoint.skippedCount])
        if checkpoint.skippedCount > 0 { throw ExitCode.badInput }
    }

}

extension ImportCheckpoint {
    /// How many profiles an interrupted import has saved, and how to continue it.
    fileprivate var summary: String {
        "imported \(savedCount.counted("profile")) up to line \(position.lineCount); continue with --resume"
    }
}

extension ProgressLine {
    /// Shows how much of the input has been imported.
    fileprivate func show(_ checkpoint: ImportCheckpoint, of input: InputBytes) {
        let position = Double(checkpoint.position.byteCount)
        show(Int(checkpoint.savedCount), fraction: input.byteCount.map { position / Double(max(1, $0)) })
    }
}
