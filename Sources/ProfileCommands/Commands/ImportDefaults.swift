import ArgumentParser

/// The command `import-defaults`, which imports a profile from `UserDefaults`.
struct ImportDefaults: ProgramCommand {
    static let help: CommandHelp = """
        import-defaults: Import a profile that an app has stored in UserDefaults.

        Saves the entries mailAddress and birthDay (a string yyyy-MM-dd, or a date) of a property list, and does not \
        change it. A missing entry keeps the saved value. A date becomes a day in the time zone TZ.

        The argument is a file if it contains a slash or ends in .plist, otherwise a suite: a property list in \
        $XDG_CONFIG_HOME or ~/.config, or in ~/Library/Preferences on a Mac.

        EXAMPLE
          profile-cli import-defaults com.example.app --dry-run
        """

    @Argument(help: ArgumentHelp("The property list, or the name of a suite.", valueName: "file|suite"))
    var source: String

    @Flag(name: [.long, .customShort("n")], help: "Print what would be saved, and save nothing.")
    var dryRun = false

    @OptionGroup(title: "Common Options") var options: UserOptions

    func run(in session: Session) async throws {
        let id = try session.savedUser
        let isFile = source.contains("/") || source.hasSuffix(".plist")
        let path = isFile ? source : try StorageLocation.suite(source).address
        guard let user = try User.readDefaults(ofFileAt: path, id: id, now: .now) else {
            throw CommandError(.notSaved, "\(source) has neither mailAddress nor birthDay")
        }
        if dryRun { return try session.write(user) }
        try await session.open(saving: true).profiles.merge(user, now: .now)
        session.note("imported \(source) for \(user.id)")
    }
}
