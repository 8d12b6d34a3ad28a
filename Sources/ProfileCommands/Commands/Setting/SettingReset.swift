import ArgumentParser
import UserProfileDomain
import UserProfileKit

/// The command `setting reset`, which removes the stored value of a setting.
struct SettingReset: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Remove a setting, so that its default applies.",
        discussion: """
            If the setting is not saved, the command exits with 1.

            EXAMPLE
              profile-cli setting reset theme
            """)

    @Argument(help: "The name of the setting.")
    var name: String

    @OptionGroup var setting: SettingOptions

    @OptionGroup(title: "Common Options") var options: LocationOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let wasSaved = try await session.withStorage { storage in
                let key = try storage.settingsKey(named: setting.group)
                return try await storage.records.write { transaction in
                    guard var record = try transaction.record(for: key), record[name] != nil else { return false }
                    record[name] = nil
                    if record.isEmpty { try transaction.remove(key) } else { try transaction.put(record, for: key) }
                    return true
                }
            }
            guard wasSaved else {
                throw try await session.nothingSaved("the setting \(name.excerpt(80).quoted) is not saved")
            }
            session.note("removed the setting \(name.excerpt(80).quoted)")
        }
    }
}
