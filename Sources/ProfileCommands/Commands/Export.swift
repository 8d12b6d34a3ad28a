import ArgumentParser
import ProfileFormats
import UserProfileDomain
import UserProfileKit

/// `export`
struct Export: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write all profiles as JSON Lines or CSV.",
        discussion: """
            Writes to a FILE, or to standard output where it is - or left out, in the order of the ids, what `import` \
            reads. The profiles are those of one moment, whatever others save meanwhile.

            A FILE is for its owner alone, and gets its name when it is whole. One that is there already is only \
            replaced with --replace. A slow reader of a pipe holds the moment: an LMDB store that others write to \
            grows meanwhile.

            EXAMPLES
              profile-cli export users.csv
              profile-cli export --where 'birthday exists' | gzip >users.jsonl.gz
              profile-cli export --format csv --replace backup/users
            """)

    @Argument(
        help: ArgumentHelp("What to write; - is standard output.", valueName: "file|-"),
        completion: .file(extensions: ["jsonl", "ndjson", "csv"]))
    var file = "-"

    @Option(
        help: ArgumentHelp(
            "How the profiles are written.", discussion: "Default: by the ending of the file's name, else jsonl."))
    var format: ProfileFormat?

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp("Which users: a condition, as with `list`.", valueName: "condition"))
    var condition: String?

    @Flag(help: "Replace the file where it is there already.")
    var replace = false

    @OptionGroup var options: LocationOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let filter = try condition.map(QueryParser.filter)
            await Interruption.install()
            let progress = TransferProgress()
            defer { progress.clear() }
            try await session.withStorage { storage in
                // Counting all users is worthwhile only if a progress line is shown, and is fast only without a
                // condition.
                let total = progress.isShown && filter == nil ? try await storage.users.count() : nil
                let output = try OutputFile(file, replaces: replace)
                let count = try await storage.exportUsers(ProfileFormat.of(file, format), where: filter) { count in
                    progress.show(Int64(count), of: total.map { $0 > 0 ? min(1, Double(count) / Double($0)) : 1 })
                } to: {
                    try output.write($0)
                }
                try output.finish()
                if file != "-" || progress.isShown {
                    progress.end("exported \(Int64(count).counted("profile")) in \(progress.duration)")
                }
            }
            try await session.mentionMissingStore()
        }
    }
}
