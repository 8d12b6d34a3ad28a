import ArgumentParser
import ProfileFormats
import UserProfileDomain
import UserProfileKit

/// The command `import-defaults`, which imports a profile from `UserDefaults`.
struct ImportDefaults: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "import-defaults",
        abstract: "Import a profile that an app has stored in UserDefaults.",
        discussion: """
            Reads the entries mailAddress (a string) and birthDay (a string yyyy-MM-dd, or a date) of an XML or binary \
            property list, and saves both values or neither. A date is converted to a day in the time zone of the \
            environment variable TZ or of this machine. A missing entry or an empty string leaves the saved value \
            unchanged. The property list is not changed. If it has neither entry, the command exits with 1.

            The argument is a file if it contains a slash or ends in .plist. Otherwise it is the name of a suite, a \
            property list in $XDG_CONFIG_HOME or ~/.config, or in ~/Library/Preferences on a Mac.

            EXAMPLES
              profile-cli import-defaults com.example.app --dry-run
              profile-cli import-defaults ./Preferences/com.example.app.plist --user vision
            """)

    @Argument(help: ArgumentHelp("The property list, or the name of a suite.", valueName: "file|suite"))
    var source: String

    @Flag(help: "Print what would be saved, and save nothing.")
    var dryRun = false

    @OptionGroup(title: "Common Options") var options: UserOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let id = try session.savedUser
            let isFile = source.contains("/") || source.hasSuffix(".plist")
            let found =
                isFile
                ? try User.readDefaults(ofFileAt: source, id: id, now: .now)
                : try User.readDefaults(ofSuite: source, id: id, now: .now)
            guard let user = found else {
                throw NothingSaved(message: "\(source) has neither mailAddress nor birthDay")
            }
            guard dryRun else {
                try await session.withStorage(saving: true) { try await $0.profiles.merge(user, now: .now) }
                session.note("imported \(importedValues(user)) for \(user.id)")
                return
            }
            switch session.format {
            case .text:
                try Console.write(UserCard(user: user, today: nil).lines(isDetailed: Console.isTerminal))
            case .json: try Console.write(jsonLines: [ProfileWriter.json(user)])
            }
        }
    }

    private func importedValues(_ user: User) -> String {
        let values = [user.mailAddress.map { "the mail address \($0)" }, user.birthday.map { "the birthday \($0)" }]
        let names = values.compactMap(\.self)
        return names.isEmpty ? "no value" : names.joined(separator: " and ")
    }
}
