import ArgumentParser
import UserProfileDomain
import UserProfileKit

/// The command `setting set`, which saves a setting that is given as JSON.
struct SettingSet: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Save a setting.",
        discussion: """
            Other settings do not change. Without JSON, or with -, the value is read from standard input. A program \
            that declares the setting with another type cannot read the value.

            EXAMPLES
              profile-cli setting set theme '"dark"'
              profile-cli setting set launches 5
            """)

    @Argument(help: "The name of the setting.")
    var name: String

    @Argument(help: ArgumentHelp("The value as JSON; - is standard input.", valueName: "json|-"))
    var json = "-"

    @OptionGroup var setting: SettingOptions

    @OptionGroup(title: "Common Options") var options: LocationOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let value = try RecordJSON.value(parsing: InputFile.json(json), as: "a value")
            try await session.withStorage(saving: true) { storage in
                let key = try storage.settingsKey(named: setting.group)
                try await storage.records.write { transaction in
                    var record = try transaction.record(for: key) ?? [:]
                    record[name] = value
                    try transaction.put(record, for: key)
                }
            }
            session.note("saved the setting \(name.excerpt(80).quoted)")
        }
    }
}
