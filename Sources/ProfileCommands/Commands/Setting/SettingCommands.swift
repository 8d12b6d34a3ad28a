import ArgumentParser

/// The command `setting`, which contains the subcommands for settings.
struct SettingCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setting",
        abstract: "Read and change the settings that a program stores.",
        discussion: """
            A setting is a named value that a program stores with the type `Settings`. Values are JSON; `profile-cli \
            record --help` describes the form of dates and data. `profile-cli config` prints the settings of \
            profile-cli itself.

            EXAMPLES
              profile-cli setting list
              profile-cli setting set theme '"dark"'
              profile-cli setting get launches
            """,
        subcommands: [SettingGet.self, SettingList.self, SettingSet.self, SettingReset.self])
}

/// The options of the commands that read or change settings.
struct SettingOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The name of the group of settings.", valueName: "name"))
    var group = "main"
}
