import ArgumentParser

/// The root command, which contains all other commands.
struct RootCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile-cli",
        abstract: "Store a user's mail address and birthday, and weather forecasts.",
        discussion: """
            STORES
            A store is an LMDB environment (lmdb:PATH), a property-list file that you can edit (plist:PATH), memory \
            (memory:), or a PostgreSQL schema (postgres://USER@HOST/DB?schema=NAME). The first save creates it. The \
            default is an LMDB environment in $XDG_DATA_HOME/profile-cli, or in ~/.local/share/profile-cli.

            CONFIGURATION
            A value is read from the command line, otherwise from an environment variable, otherwise from \
            $XDG_CONFIG_HOME/profile-cli/config.json. `profile-cli config` shows each value and its origin.

              option         variable                  in config.json    default
              --store        PROFILE_STORE             store             see STORES
              --environment  PROFILE_ENVIRONMENT       environment       production
              --user         PROFILE_USER              user              me
              --key-file     PROFILE_KEY_FILE          key.file          none
              --service      PROFILE_FORECAST_SERVICE  forecast.service  tsukumijima
              --url          PROFILE_FORECAST_URL      forecast.url      the URL of the service
                             PROFILE_FORECAST_TIMEOUT  forecast.timeout  30s

            OUTPUT
            Results are written to standard output, everything else to standard error. When a command that saves exits \
            with 0, the change is on disk, except with memory:. With --json each result, message and error is one line \
            of JSON. Common options may precede the command.

            EXIT STATUS
              0   success
              1   the requested value is not saved, or the answer to a question is no
              64  invalid options
              65  an invalid value, e.g. a mail address or a store
              66  a file or a store does not exist
              69  the weather service or the database server is not available
              70  internal error
              73  the store or file cannot be created
              74  input or output failed
              75  the store is locked; retry
              77  permission denied, or the key of a sealed field is missing or wrong
              78  config.json is invalid
              130, 143  interrupted by Ctrl-C or SIGTERM
              141       the reader of a pipe has closed it

            EXAMPLES
              profile-cli set-mail vision@example.com
              profile-cli list --where 'birthday < 1990-01-01' --sort birthday
              profile-cli forecast fetch 130010
            """,
        version: "0.1.0",
        subcommands: [
            SetMail.self, GetMail.self, ClearMail.self, SetBirthday.self, GetBirthday.self, ClearBirthday.self,
            Show.self, List.self, Count.self, Birthdays.self, Watch.self, Delete.self, Erase.self, Import.self,
            Export.self, ImportDefaults.self, ForecastCommands.self, SettingCommands.self, RecordCommands.self,
            StoreCommands.self, ShowConfiguration.self,
        ] + keys
    )

    /// The commands for keys, which need the trait `Sealing`.
    private static var keys: [any ParsableCommand.Type] {
        #if Sealing
        [KeyCommands.self]
        #else
        []
        #endif
    }

    /// The lines that the program prints without arguments.
    static let welcome = [
        "profile-cli stores a user's mail address and birthday, and weather forecasts.", "",
        "  profile-cli set-mail vision@example.com    save a mail address",
        "  profile-cli show                           show your profile",
        "  profile-cli list --where 'mail exists'     find users",
        "  profile-cli forecast fetch 東京            fetch and save a forecast",
        "  profile-cli store backup PATH              back up everything", "",
        "profile-cli --help lists all commands. The guide is CommandLine in UserProfile's documentation.",
    ]
}
