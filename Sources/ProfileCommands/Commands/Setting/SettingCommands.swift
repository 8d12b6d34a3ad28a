import ArgumentParser

/// The command `setting`, which contains the subcommands for settings.
struct SettingCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setting",
        abstract: "Read and change the settings that a program stores.",
        discussion: """
            A setting is a single value with a name, as a program stores it with `Settings`. Values are JSON; \
            `profile-cli record --help` describes the form of dates and data. The settings of profile-cli itself are \
            printed by `profile-cli config`.

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
