import ArgumentParser
import Foundation
import ProfileFormats
import UserProfileDomain
import UserProfileKit

/// `import`
struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Save many profiles from JSON Lines or CSV.",
        discussion: """
            Reads a FILE, or standard input where it is - or left out. A line is a profile with id, mailAddress and birthday: \
            a JSON object (JSON Lines), or values with commas between them below a line of these names in any order (CSV, RFC \
            4180). What is left out, null or empty, the user has none of. A user who is saved already is replaced; of several \
            with one id the last counts.

            Profiles are saved in transactions of ten thousand and more, as many as are read while the one before is made durable,             --batch at most. A line with something wrong ends the import, with 65; all \
            lines before it are saved. With --on-error skip such lines are told of, with their numbers, and left out; the rest is \
            saved, and it ends with 65, too.

            With every transaction the store keeps how far the import has come, until it is over. Where it was \
            interrupted, even by kill -9 or a power loss, --resume goes on just there. It reads what comes before again \
            and refuses another input. What comes behind may have changed: mend a wrong line and go on.

            EXAMPLES
              profile-cli import users.jsonl
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

    @Option(help: ArgumentHelp("How many profiles are saved in one transaction at most.", valueName: "number"))
    var batch = 100_000

    @OptionGroup var options: PlaceOptions

    /// How many skipped lines are told of.
    private static let shownErrorCount = 100

    func validate() throws {
        if batch < 1 { throw ArgumentParser.ValidationError("--batch is a number from 1 on, not \(batch)") }
    }

    func run() async throws {
        try await Session.run(options) { session in
            let input = try InputBytes(file)
            if input.isTerminal { Console.error("reading profiles from the terminal; Ctrl-D ends them") }
            await Interruption.arm()
            try await session.withStorage { storage in try await run(input, storage, session) }
        }
    }

    private func run(_ input: InputBytes, _ storage: UserProfileStorage, _ session: Session) async throws {
        let format = ProfileFormat.of(file, format)
        let importing = ImportOptions(
            source: file == "-" ? file : URL(filePath: file).standardizedFileURL.path, format: format,
            errorPolicy: onError, ignoresUnknown: ignoreUnknown, resumes: resume, batchCount: batch)
        let progress = TransferProgress()
        var skippedCount = 0
        let mark: ImportMark
        do {
            mark = try await storage.importUsers(importing) { error in
                skippedCount += 1
                guard skippedCount <= Self.shownErrorCount else { return }
                progress.clear()
                Console.error("\(error)")
            } progress: { mark in
                progress.show(mark.savedCount, of: input.byteCount.map { mark.position.fraction(of: $0) })
            } from: {
                try input.next()
            }
        } catch {
            progress.clear()
            let code = Interruption.hasCome ? nil : session.say(error)
            try await tellHowFar(importing, storage)
            Interruption.endIfInterrupted()
            throw code ?? ExitCode(EX_TEMPFAIL)
        }
        if skippedCount > Self.shownErrorCount {
            progress.clear()
            Console.error("… and \(skippedCount - Self.shownErrorCount) more lines with something wrong")
        }
        let skipped = mark.skippedCount > 0 ? ", skipped \(mark.skippedCount.counted("line"))" : ""
        progress.end("imported \(mark.savedCount.counted("profile")) in \(progress.duration)\(skipped)")
        if mark.skippedCount > 0 { throw ExitCode(EX_DATAERR) }
    }

    /// Says what is saved of an import that is not over.
    private func tellHowFar(_ importing: ImportOptions, _ storage: UserProfileStorage) async throws {
        guard let mark = try await storage.unfinishedImport(importing) else {
            Console.error("nothing was imported")
            return
        }
        Console.error(
            "imported \(mark.savedCount.counted("profile")), all up to line \(mark.position.lineCount); "
                + "--resume goes on there")
    }
}

extension InputPosition {
    /// Which part of an input is read, 0 to 1.
    fileprivate func fraction(of byteCount: Int64) -> Double {
        byteCount > 0 ? min(1, Double(self.byteCount) / Double(byteCount)) : 1
    }
}
