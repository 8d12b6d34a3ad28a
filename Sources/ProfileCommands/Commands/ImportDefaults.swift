import ArgumentParser
import UserProfileDomain
import UserProfileKit

/// `import-defaults`
struct ImportDefaults: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "import-defaults",
        abstract: "Take a profile over from an app that kept it in UserDefaults.",
        discussion: """
            Reads the entries mailAddress (a string) and birthDay (a string yyyy-MM-dd, or a date, which is the day \
            that it is in the time zone of this machine, or of the environment variable TZ) of a property list, XML or \
            binary, and saves both values or none. An empty string means that there is none; a value that there is \
            none of stays as it is saved. The file is only read. Where it has neither entry, the command ends with 1.

            What is given is a FILE where it has a slash or ends in .plist, and otherwise the name of a SUITE: a \
            property list in $XDG_CONFIG_HOME or ~/.config, in ~/Library/Preferences on a Mac.

            EXAMPLES
              profile-cli import-defaults com.example.app --dry-run
              profile-cli import-defaults ./Preferences/com.example.app.plist --user vision
            """)

    @Argument(help: ArgumentHelp("The property list, or the name of a suite.", valueName: "file|suite"))
    var source: String

    @Flag(help: "Print what would be saved, as show does, and save nothing.")
    var dryRun = false

    @OptionGroup var options: StoreOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let isFile = source.contains("/") || source.hasSuffix(".plist")
            let found =
                isFile
                ? try User.readDefaults(ofFileAt: source, id: session.user, now: .now)
                : try User.readDefaults(ofSuite: source, id: session.user, now: .now)
            guard let user = found else {
                throw NothingSaved(message: "\(source) has neither mailAddress nor birthDay")
            }
            guard dryRun else {
                try await session.withStorage(saving: true) { try await $0.profiles.merge(user, now: .now) }
                session.note("took over \(importedValues(user)) for \(user.id)")
                return
            }
            switch session.format {
            case .text:
                try Console.write(UserCard(user: user, today: nil).lines(isDetailed: Console.isTerminal))
            case .json: try Console.write(json: UserOutput(user))
            }
        }
    }

    private func importedValues(_ user: User) -> String {
        let values = [user.mailAddress.map { "the mail address \($0)" }, user.birthday.map { "the birthday \($0)" }]
        let names = values.compactMap(\.self)
        return names.isEmpty ? "no value" : names.joined(separator: " and ")
    }
}
