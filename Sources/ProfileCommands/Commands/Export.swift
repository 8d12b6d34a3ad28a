import ArgumentParser
import ProfileFormats
import UserProfileDomain
import UserProfileKit

/// The command `export`, which writes users to a file or standard output.
struct Export: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export profiles as JSON Lines or CSV.",
        discussion: """
            Writes one snapshot of the profiles, sorted by id, in a format that `import` reads. Without a file, or \
            with -, writes to standard output.

            Only the owner can read the file, and it appears under its name when it is complete. An existing file is \
            replaced only with --replace. If the reader of a pipe is slow, export to a file instead: until the last \
            profile is written, the snapshot is in use, and an LMDB store grows while other programs write to it.

            EXAMPLES
              profile-cli export users.csv
              profile-cli export --where 'birthday exists' | gzip >users.jsonl.gz
              profile-cli export --format csv --replace backup/users
            """)

    @Argument(
        help: ArgumentHelp("The output file; - is standard output.", valueName: "file|-"),
        completion: .file(extensions: ["jsonl", "ndjson", "csv"]))
    var file = "-"

    @Option(help: "The format (default: from the file name extension, otherwise jsonl).")
    var format: ProfileFormat?

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "Export only users that meet a condition; see `profile-cli list --help`.", valueName: "condition"),
        completion: Completion.userCondition)
    var condition: String?

    @Flag(help: "Replace an existing file.")
    var replace = false

    @OptionGroup(title: "Common Options") var options: LocationOptions

    func run(in session: Session) async throws {
        let filter = try condition.map(Filter.init(parsing:))
        await Interruption.install()
        let progress = ProgressLine(of: "profile")
        defer { progress.clear() }
        try await session.withStorage { storage in
            // Counting all users is worthwhile only if the command prints a progress line, and is fast only without
            // a condition.
            let total = progress.isShown && filter == nil ? try await storage.users.count() : nil
            let output = try OutputFile(file, replaces: replace)
            let count = try await storage.exportUsers(ProfileFormat.of(file, format), where: filter) { count in
                progress.show(Int64(count), of: total.map { $0 > 0 ? min(1, Double(count) / Double($0)) : 1 })
            } to: {
                // A chunk consists of whole lines.
                let isShown = file == "-" && Console.isTerminal
                try output.write(isShown ? Array(Console.printable(String(decoding: $0, as: UTF8.self)).utf8) : $0)
            }
            try output.finish()
            if file != "-" || progress.isShown {
                progress.end("exported \(Int64(count).counted("profile")) in \(progress.duration)")
            }
        }
        try await session.mentionMissingStore()
    }
}
