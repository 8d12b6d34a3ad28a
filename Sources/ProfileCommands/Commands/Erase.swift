import ArgumentParser

/// The option that selects the settings of a user.
struct SettingsPrefixOption: ParsableArguments {
    @Option(help: ArgumentHelp("Include the settings whose group has a name with this prefix.", valueName: "prefix"))
    var settingsPrefix: String?
}

/// The command `erase`, which deletes a user and everything that belongs to the user.
struct Erase: ProgramCommand {
    static let help: CommandHelp = """
        erase: Delete a user and everything that belongs to the user.

        Deletes the user, and the records of all programs that declare the user as their owner, in one transaction. \
        Asks for confirmation; without a terminal, --yes is required. If nothing belongs to the user, the command \
        exits with 1. Deleted values may remain in free pages of an LMDB file until `store compact`, and in backups.

        EXAMPLES
          profile-cli export --user vision --everything vision.jsonl
          profile-cli erase --user vision --yes
        """

    @OptionGroup var settings: SettingsPrefixOption

    @OptionGroup var confirmation: ConfirmationOptions

    @OptionGroup(title: "Common Options") var options: UserOptions

    func run(in session: Session) async throws {
        let user = session.user
        try await confirmation.confirm("erase everything of the user \(user)")
        let recordCounts = try await session.open().erase(user, settingsPrefix: settings.settingsPrefix)
        try await session.requireSaved(!recordCounts.isEmpty, "nothing of the user \(user) is saved")
        let counts = recordCounts.sorted { $0.key < $1.key }
        try session.write(
            counts.map { "\($0.value) in \($0.key)" },
            json: ["recordCounts": recordCounts as JSONObject])
        guard session.format == .text else { return }
        Console.note("erased the user \(user); unused parts of the file may contain deleted values")
    }
}
