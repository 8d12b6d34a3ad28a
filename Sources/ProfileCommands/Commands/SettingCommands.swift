import ArgumentParser

/// The command `setting`, which contains the subcommands for settings.
struct SettingCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setting", abstract: "Read and change the settings that a program stores.",
        discussion: """
            A setting is a named value that a program stores with the type `Settings`. Values are JSON; `profile-cli \
            record --help` describes the form of dates and data.

            EXAMPLES
              profile-cli setting list
              profile-cli setting set theme '"dark"'
            """,
        subcommands: [SettingGet.self, SettingList.self, SettingSet.self, SettingReset.self])
}

/// The options of the commands that read or change settings.
struct SettingOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The name of the group of settings.", valueName: "name"))
    var group = "main"

    /// Returns the key of the record that contains the group. Throws `DataStoreError` if the name is invalid.
    fileprivate func key() throws(DataStoreError) -> Key { try Key(collection: Settings.collection, id: group) }

    /// Returns the record of the group, or `nil` if none of its settings is saved.
    fileprivate func record(in session: Session) async throws -> Record? {
        let key = try key()
        return try await session.open().records.record(for: key)
    }
}

/// The command `setting list`, which prints all settings as JSON.
struct SettingList: ProgramCommand {
    static let help: CommandHelp = """
        list: List the saved settings.

        Prints each setting as one line of JSON, {"name":…,"value":…}, sorted by the bytes of the names.

        EXAMPLE
          profile-cli setting list --group main
        """

    @OptionGroup var setting: SettingOptions

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in session: Session) async throws {
        let record = try await setting.record(in: session)
        try await session.mentionMissingStore()
        let fields = (record ?? [:]).sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        try Console.write(fields.map { Console.json(["name": $0.name, "value": $0.value]) })
    }
}

/// The command `setting get`, which prints a setting as JSON.
struct SettingGet: ProgramCommand {
    static let help: CommandHelp = """
        get: Print a setting.

        Prints the value as one line of JSON. If it is not saved, the command exits with 1.

        EXAMPLE
          profile-cli setting get theme | jq -r .
        """

    @Argument(help: "The name of the setting.")
    var name: String

    @OptionGroup var setting: SettingOptions

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in session: Session) async throws {
        let saved = try await setting.record(in: session)?[name]
        let value = try await session.requireSaved(saved, "the setting \(name.excerpt(80).quoted) is not saved")
        try Console.write([RecordJSON.text(value)])
    }
}

/// The command `setting set`, which saves a setting that is given as JSON.
struct SettingSet: ProgramCommand {
    static let help: CommandHelp = """
        set: Save a setting.

        Without JSON, or with -, the value is read from standard input.

        EXAMPLES
          profile-cli setting set theme '"dark"'
          profile-cli setting set launches 5
        """

    @Argument(help: "The name of the setting.")
    var name: String

    @Argument(help: ArgumentHelp("The value as JSON; - is standard input.", valueName: "json|-"))
    var json = "-"

    @OptionGroup var setting: SettingOptions

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in session: Session) async throws {
        let value = try RecordJSON.value(parsing: InputBytes.json(json), as: "a value")
        let key = try setting.key()
        try await session.open(saving: true).records.write { transaction in
            var record = try transaction.record(for: key) ?? [:]
            record[name] = value
            try transaction.put(record, for: key)
        }
        session.note("saved the setting \(name.excerpt(80).quoted)")
    }
}

/// The command `setting reset`, which removes the stored value of a setting.
struct SettingReset: ProgramCommand {
    static let help: CommandHelp = """
        reset: Remove a setting, so that its default applies.

        If the setting is not saved, the command exits with 1.

        EXAMPLE
          profile-cli setting reset theme
        """

    @Argument(help: "The name of the setting.")
    var name: String

    @OptionGroup var setting: SettingOptions

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in session: Session) async throws {
        let key = try setting.key()
        let wasSaved = try await session.open().records.write { transaction in
            guard var record = try transaction.record(for: key), record[name] != nil else { return false }
            record[name] = nil
            if record.isEmpty { try transaction.remove(key) } else { try transaction.put(record, for: key) }
            return true
        }
        try await session.requireSaved(wasSaved, "the setting \(name.excerpt(80).quoted) is not saved")
        session.note("removed the setting \(name.excerpt(80).quoted)")
    }
}
