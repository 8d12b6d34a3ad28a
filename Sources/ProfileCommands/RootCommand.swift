import ArgumentParser

/// The root command, which has all others as subcommands.
struct RootCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile-cli",
        abstract: "Keep a user's mail address and birthday, and weather forecasts.",
        discussion: """
            Everything is kept in a store: an LMDB environment (lmdb:PATH), a property-list file that you can read and \
            edit (plist:PATH), or memory (memory:). Say which with --store, the environment variable PROFILE_STORE, or \
            "store" in $XDG_CONFIG_HOME/profile-cli/config.json, in this order; otherwise it is an LMDB environment in \
            $XDG_DATA_HOME/profile-cli. Each --environment has a store of its own. `profile-cli config` shows each \
            setting and where it came from.

            Results go to standard output, everything else to standard error. The exit code is 0, or 1 where what was \
            asked for is not saved, or one of sysexits.h: 64 usage, 65 bad input, 66 no such file, 69 the weather \
            service does not answer, 70 internal, 73 no store can be made there, 74 input or output failed, 75 try \
            again, 77 no permission.

            EXAMPLES
              profile-cli set-mail vision@example.com
              profile-cli set-birthday 2011-08-01
              profile-cli show
              profile-cli list --where 'birthday < 1990-01-01' --sort birthday
              profile-cli birthdays --within 30d
              profile-cli export users.csv
              profile-cli forecast fetch 130010
            """,
        version: "0.1.0",
        subcommands: [
            SetMail.self, GetMail.self, SetBirthday.self, GetBirthday.self, Show.self, List.self, Birthdays.self,
            Watch.self, Delete.self, Import.self, Export.self, ImportDefaults.self, ForecastCommands.self,
            StoreCommands.self, ShowConfiguration.self,
        ]
    )
}
