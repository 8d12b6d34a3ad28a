import ArgumentParser
import ProfileFormats
import UserProfileDomain
import UserProfileKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `import`
struct Import: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Save many profiles from JSON Lines or CSV.",
        discussion: """
            Reads a FILE, or standard input where it is - or left out. A line is a profile with id, mailAddress and \
            birthday: a JSON object (JSON Lines), or values with commas between them below a line of these names in \
            any order (CSV, RFC 4180). What is left out, null or empty, the user has none of. A user who is saved \
            already is replaced; of several with one id the last counts.

            Profiles are saved in transactions of ten thousand and more, as many as are read while the one before is \
            made durable, --batch at most. A line with something wrong ends the import, with 65; all lines before it \
            are saved. With --on-error skip such lines are told of, with their numbers, and left out; the rest is \
            saved, and it ends with 65, too.

            With every transaction the store keeps how far the import has come, until it is over. Where it was \
            interrupted, even by kill -9 or a power loss, --resume goes on just there. It reads what comes before \
            again and refuses another input. What comes behind may have changed: mend a wrong line and go on.

            With --dry-run all lines are looked at and nothing is saved: whatever is wrong with any of them is told.

            EXAMPLES
              profile-cli import users.jsonl
              profile-cli import users.csv --dry-run
              profile-cli import users.csv --on-error skip
              profile-cli import users.csv --resume
              zcat users.csv.gz | profile-cli import - --format csv
            """)

    @Argument(
        help: ArgumentHelp("What to read; - is standard input.", valueName: "file|-"),
        completion: .file(extensions: ["jsonl", "ndjson", "csv"]))
    var file = "-"

    @Option(
        help: ArgumentHelp(
            "How the profiles are written.", discussion: "Default: by the ending of the file's name, else jsonl."))
    var format: ProfileFormat?

    @Option(help: "What is done about a line with something wrong.")
    var onError: ImportOptions.ErrorPolicy = .stop

    @Flag(help: "Pass over columns and members of other names; otherwise they are wrong.")
    var ignoreUnknown = false

    @Flag(help: "Go on where an import of the same input was interrupted; begin at the start where none was.")
    var resume = false

    @Flag(help: "Look at all lines and tell what is wrong with them, and save nothing.")
    var dryRun = false

    @Option(help: ArgumentHelp("How many profiles are saved in one transaction at most.", valueName: "number"))
    var batch = 100_000

    @OptionGroup var options: LocationOptions

    func validate() throws {
        if dryRun, resume { throw ArgumentParser.ValidationError("--dry-run looks at all lines, without --resume") }
        if batch < 1 { throw ArgumentParser.ValidationError("--batch is a number from 1 on, not \(batch)") }
    }

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let input = try InputBytes(file)
            if input.isTerminal { Console.error("reading profiles from the terminal; Ctrl-D ends them") }
            await Interruption.install()
            if dryRun { return try validateLines(of: input) }
            try await session.withStorage(saving: true) { storage in try await run(input, storage, session) }
        }
    }

    private var importing: ImportOptions {
        ImportOptions(
            source: file == "-" ? file : URL(filePath: file).standardizedFileURL.path,
            format: ProfileFormat.of(file, format), errorPolicy: onError, ignoresUnknown: ignoreUnknown,
            resumes: resume, batchCount: batch)
    }

    /// Validates all lines without saving anything.
    private func validateLines(of input: InputBytes) throws {
        let progress = TransferProgress()
        defer { progress.clear() }
        let errors = LineErrors(progress)
        let checkpoint = try importing.dryRun(skipped: errors.report) { checkpoint in
            progress.show(checkpoint, of: input)
        } from: {
            try input.next()
        }
        errors.end()
        let wrong =
            checkpoint.skippedCount > 0 ? ", but \(checkpoint.skippedCount.counted("line")) with something wrong" : ""
        progress.end("\(checkpoint.savedCount.counted("profile")) can be imported\(wrong); nothing is saved")
        if checkpoint.skippedCount > 0 { throw ExitCode.badInput }
    }

    private func run(_ input: InputBytes, _ storage: UserProfileStorage, _ session: Session) async throws {
        let importing = importing
        let progress = TransferProgress()
        let errors = LineErrors(progress)
        let checkpoint: ImportCheckpoint
        do {
            checkpoint = try await storage.importUsers(importing, skipped: errors.report) { checkpoint in
                progress.show(checkpoint, of: input)
            } from: {
                try input.next()
            }
        } catch {
            progress.clear()
            let code = Interruption.hasOccurred ? nil : session.reportError(error)
            try await reportSavedProfiles(importing, storage)
            Interruption.exitIfInterrupted()
            throw code ?? ExitCode.tryAgain
        }
        errors.end()
        let skipped = checkpoint.skippedCount > 0 ? ", skipped \(checkpoint.skippedCount.counted("line"))" : ""
        progress.end("imported \(checkpoint.savedCount.counted("profile")) in \(progress.duration)\(skipped)")
        if checkpoint.skippedCount > 0 { throw ExitCode.badInput }
    }

    /// Reports how much of an interrupted import is saved.
    private func reportSavedProfiles(_ importing: ImportOptions, _ storage: UserProfileStorage) async throws {
        guard let checkpoint = try await storage.unfinishedImport(importing) else {
            Console.error("nothing was imported")
            return
        }
        Console.error(
            "imported \(checkpoint.savedCount.counted("profile")), all up to line \(checkpoint.position.lineCount); "
                + "--resume goes on there")
    }
}

extension TransferProgress {
    /// Shows how much of the input has been imported.
    fileprivate func show(_ checkpoint: ImportCheckpoint, of input: InputBytes) {
        let position = Double(checkpoint.position.byteCount)
        show(checkpoint.savedCount, of: input.byteCount.map { $0 > 0 ? min(1, position / Double($0)) : 1 })
    }
}
