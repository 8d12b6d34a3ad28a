import ArgumentParser
import DataStoreSystem

/// The command `export`, which writes users to a file or standard output.
struct Export: ProgramCommand, SessionOptions {
    static let help: CommandHelp = """
        export: Export profiles as JSON Lines or CSV, or everything of one user.

        Writes one snapshot, sorted by id, in a format that `import` reads. The file appears when it is complete, and \
        only its owner can read it.

        Without their key, sealed fields are left out, and a message names them.

        With --everything, it writes one user and all records of programs that declare the user as their owner, as \
        JSON Lines. `erase` deletes the same records.

        EXAMPLES
          profile-cli export users.csv
          profile-cli export --where 'birthday exists' | gzip >users.jsonl.gz
          profile-cli export --user vision --everything vision.jsonl
        """

    @Argument(
        help: ArgumentHelp("The output file; - is standard output.", valueName: "file|-"),
        completion: .file(extensions: ["jsonl", "ndjson", "csv"]))
    var file = "-"

    @Option(name: .shortAndLong, help: "The format (default: from the file name extension, otherwise jsonl).")
    var format: ProfileFormat?

    @OptionGroup var selection: UserConditionOption

    @Flag(help: "Export one user and everything that belongs to the user.")
    var everything = false

    @OptionGroup var settings: SettingsPrefixOption

    @Flag(help: "Replace an existing file.")
    var replace = false

    @OptionGroup var confirmation: ConfirmationOptions

    @OptionGroup(title: "Common Options") var person: UserOption
    @OptionGroup(title: "Common Options") var location: LocationOptions
    @OptionGroup(title: "Common Options") var output: OutputOptions

    var options: Export { self }
    var storeLocation: LocationOptions? { location }
    var user: String? { person.user }

    func validate() throws {
        if !everything, user != nil || settings.settingsPrefix != nil {
            throw UsageError("--user and --settings-prefix require --everything")
        }
        if everything, selection.condition != nil || format == .csv {
            throw UsageError("--everything cannot be combined with --where or the format csv")
        }
        if replace, file == "-" { throw UsageError("--replace requires a file") }
    }

    func run(in session: Session) async throws {
        if replace, let size = try FileStatus.of(path: file, followingLinks: true)?.size, size > 0 {
            try await confirmation.confirm("replace \(file)")
        }
        let filter = try selection.filter()
        var session = session
        session.keys = session.keys ?? .omittingSealedFields
        await Interruption.install()
        let progress = ProgressLine(of: "profile")
        defer { progress.clear() }
        let storage = try await session.open()
        // Counting all users is worthwhile only if the command prints a progress line, and is fast only without
        // a condition.
        let isCounted = progress.isShown && filter == nil && !everything
        let total = isCounted ? try await storage.users.count() : nil
        let output = try OutputFile(file, replaces: replace)
        // The bytes consist of whole lines.
        @Sendable func write(_ bytes: [UInt8]) throws {
            let isShown = file == "-" && Console.isTerminal
            try output.write(isShown ? Array(String(decoding: bytes, as: UTF8.self).printable.utf8) : bytes)
        }
        let (count, exported): (Int, String)
        if everything {
            count = try await storage.export(of: session.user, settingsPrefix: settings.settingsPrefix) { line in
                try write(Array(line.utf8))
            }
            exported = "\(count.counted("record")) of the user \(session.user)"
        } else {
            count = try await storage.exportUsers(format ?? .ofFile(named: file), where: filter) { count in
                progress.show(count, outOf: total)
            } to: {
                try write($0)
            }
            exported = "\(count.counted("profile")) in \(progress.duration)"
        }
        try output.finish()
        progress.clear()
        try await mentionSealedFields(of: everything ? nil : ["users"], in: storage, session)
        if file != "-" || progress.isShown && !everything {
            try session.report("exported \(exported)", json: ["exportedCount": count, "file": file])
        }
        try await session.mentionMissingStore()
    }

    /// Names the sealed fields that the export lacks without a key, of the given collections or of all.
    private func mentionSealedFields(
        of collections: [String]?, in storage: UserProfileStorage, _ session: Session
    ) async throws {
        guard location.keys(session.configuration) == nil else { return }
        let fields = try await storage.records.sealedFieldNames(of: collections)
        if fields.isEmpty { return }
        Console.warn(
            "the export lacks the sealed fields \(fields.joined(separator: ", ")); pass --key-file to include them")
    }
}
