import ArgumentParser
import UserProfileDomain
import UserProfileKit

/// The command `setting get`, which prints a setting as JSON.
struct SettingGet: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print a setting.",
        discussion: """
            Prints the value as one line of JSON. If it is not saved, the command prints nothing and exits with 1; the \
            program that declares the setting then uses its default.

            EXAMPLE
              profile-cli setting get theme | jq -r .
            """)

    @Argument(help: "The name of the setting.")
    var name: String

    @OptionGroup var setting: SettingOptions

    @OptionGroup(title: "Common Options") var options: LocationOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let value = try await session.withStorage { storage in
                let key = try storage.settingsKey(named: setting.group)
                return try await storage.records.record(for: key)?[name]
            }
            guard let value else {
                throw try await session.nothingSaved("the setting \(name.excerpt(80).quoted) is not saved")
            }
            try Console.write(jsonLines: [RecordJSON.text(value)])
        }
    }
}
