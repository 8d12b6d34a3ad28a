import ArgumentParser
import UserProfileKit

/// The command `setting list`, which prints all settings as JSON.
struct SettingList: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the saved settings.",
        discussion: """
            Prints each setting as one line of JSON, {"name":…,"value":…}, sorted by the bytes of the names.

            EXAMPLE
              profile-cli setting list --group main
            """)

    @OptionGroup var setting: SettingOptions

    @OptionGroup(title: "Common Options") var options: LocationOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let record = try await session.withStorage { storage in
                let key = try storage.settingsKey(named: setting.group)
                return try await storage.records.record(for: key)
            }
            try await session.mentionMissingStore()
            let fields = (record ?? [:]).sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
            try Console.write(jsonLines: fields.map { RecordJSON.text("name", $0.name, "value", $0.value) })
        }
    }
}
