import ArgumentParser
import ProfileFormats
import UserProfileDomain
import UserProfileKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The command `import`, which saves users from a file or standard input.
struct Import: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import profiles from JSON Lines or CSV.",
        discussion: """
            Reads a file, or standard input if the file is - or is not given. Each line is a profile with id, \
            mailAddress and birthday: a JSON object (JSON Lines), or comma-separated values (CSV, RFC 4180). The first \
            line of a CSV file names the columns, in any order. A missing, null or empty value means that the user \
            does not have the value. A profile replaces an existing one with the same id. If an id occurs several \
            times, the last line applies.

            Profiles are saved in transactions of ten thousand or more, up to --batch. An invalid line stops the \
            import, and the command exits with 65; all lines before it are saved. With --on-error skip, the command \
            reports invalid lines with their numbers, saves all others, and also exits with 65.

            Each transaction also saves the progress. After an interruption, even by kill -9 or a power loss, --resume \
            continues at the saved position. It first reads the lines before that position again, and rejects the \
            input if they have changed. Later lines may have changed, so you can correct an invalid line and continue. \
            If no import of the input was interrupted, the command exits with 65 and imports nothing.

            EXAMPLES
              profile-cli import users.jsonl
              profile-cli import users.csv --dry-run
              profile-cli import users.csv --on-error skip
              profile-cli import users.csv --resume
              zcat users.csv.gz | profile-cli import - --format csv
            """)

    @Argument(
        help: ArgumentHelp("The input file; - is standard input.", valueName: "file|-"),
        completion: .file(extensions: ["jsonl", "ndjson", "csv"]))
    var file = "-"

    @Option(help: "The format (default: from the file name extension, otherwise jsonl).")
    var format: ProfileFormat?

    @Option(help: "What to do with an invalid line.")
    var onError: ImportOptions.ErrorPolicy = .stop

    @Flag(help: "Ignore columns and members with unknown names.")
    var ignoreUnknown = false

    @Flag(help: "Continue an interrupted import of the same input.")
    var resume = false

    @Flag(help: "Report all invalid lines and save nothing.")
    var dryRun = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The maximum number of profiles per transaction.", valueName: "number"))
    var batch = 100_000

    @OptionGroup(title: "Common Options") var options: LocationOptions

    func validate() throws {
        if dryRun, resume { throw ArgumentParser.ValidationError("--dry-run and --resume cannot be combined") }
        if batch < 1 { throw ArgumentParser.ValidationError("--batch must be 1 or more, not \(batch)") }
    }

    func run(in session: Session) async throws {
        let input = try InputBytes(file)
        if input.isTerminal { Console.error("reading profiles from the terminal; press Ctrl-D to end the input") }
        await Interruption.install()
        if dryRun { return try validateLines(of: input) }
        try await session.withStorage(saving: true) { storage in try await run(input, storage, session) }
    }

    private var importing: ImportOptions {
        ImportOptions(
            source: file == "-" ? file : URL(filePath: file).standardizedFileURL.path,
            format: ProfileFormat.of(file, format), errorPolicy: onError, ignoresUnknown: ignoreUnknown,
            resumes: resume, batchCount: batch)
    }

    /// Validates all lines of the input without saving anything.
    private func validateLines(of input: InputBytes) throws {
        let progress = ProgressLine(of: "profile")
        defer { progress.clear() }
        let checkpoint = try importing.dryRun(skipped: progress.report) { checkpoint in
            progress.show(checkpoint, of: input)
        } from: {
            try input.next()
        }
        let invalid = checkpoint.skippedCount > 0 ? ", and \(checkpoint.skippedCount.counted("invalid line"))" : ""
        progress.end("found \(checkpoint.savedCount.counted("valid profile"))\(invalid); nothing was saved")
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
            if !(error is ResumeError) {
                let saved = try await storage.unfinishedImport(importing)
                // Another import of this input may have left a checkpoint.
                reportSavedProfiles(hasSaved || saved != old ? saved : nil)
            }
            Interruption.exitIfInterrupted()
            throw code ?? ExitCode.tryAgain
        }
        let skipped = checkpoint.skippedCount > 0 ? ", skipped \(checkpoint.skippedCount.counted("line"))" : ""
        progress.end("imported \(checkpoint.savedCount.counted("profile")) in \(progress.duration)\(skipped)")
        if checkpoint.skippedCount > 0 { throw ExitCode.badInput }
    }

    /// Writes to standard error how many profiles an interrupted import has saved, and how to continue the import.
    private func reportSavedProfiles(_ checkpoint: ImportCheckpoint?) {
        guard let checkpoint else {
            Console.error("no profile was imported")
            return
        }
        Console.error(
            "imported \(checkpoint.savedCount.counted("profile")) up to line \(checkpoint.position.lineCount); "
                + "continue with --resume")
    }
}

extension ProgressLine {
    /// Shows how much of the input has been imported.
    fileprivate func show(_ checkpoint: ImportCheckpoint, of input: InputBytes) {
        let position = Double(checkpoint.position.byteCount)
        show(checkpoint.savedCount, of: input.byteCount.map { $0 > 0 ? min(1, position / Double($0)) : 1 })
    }
}

/// The command `import-defaults`, which imports a profile from `UserDefaults`.
struct ImportDefaults: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "import-defaults",
        abstract: "Import a profile that an app has stored in UserDefaults.",
        discussion: """
            Reads the entries mailAddress (a string) and birthDay (a string yyyy-MM-dd, or a date) of an XML or binary \
            property list, and saves both values or neither. A date is converted to a day in the time zone of the \
            environment variable TZ or of this machine. A missing entry or an empty string leaves the saved value \
            unchanged. The property list is not changed. If it has neither entry, the command exits with 1.

            The argument is a file if it contains a slash or ends in .plist. Otherwise it is the name of a suite, a \
            property list in $XDG_CONFIG_HOME or ~/.config, or in ~/Library/Preferences on a Mac.

            EXAMPLES
              profile-cli import-defaults com.example.app --dry-run
              profile-cli import-defaults ./Preferences/com.example.app.plist --user vision
            """)

    @Argument(help: ArgumentHelp("The property list, or the name of a suite.", valueName: "file|suite"))
    var source: String

    @Flag(help: "Print what would be saved, and save nothing.")
    var dryRun = false

    @OptionGroup(title: "Common Options") var options: UserOptions

    func run(in session: Session) async throws {
        let id = try session.savedUser
        let isFile = source.contains("/") || source.hasSuffix(".plist")
        let path = isFile ? source : try StorageLocation.suite(source).address
        guard let user = try User.readDefaults(ofFileAt: path, id: id, now: .now) else {
            throw CommandError(.notSaved, "\(source) has neither mailAddress nor birthDay")
        }
        guard dryRun else {
            try await session.withStorage(saving: true) { try await $0.profiles.merge(user, now: .now) }
            session.note("imported \(importedValues(user)) for \(user.id)")
            return
        }
        try session.write(user)
    }

    private func importedValues(_ user: User) -> String {
        let values = [user.mailAddress.map { "the mail address \($0)" }, user.birthday.map { "the birthday \($0)" }]
        let names = values.compactMap(\.self)
        return names.isEmpty ? "no value" : names.joined(separator: " and ")
    }
}
