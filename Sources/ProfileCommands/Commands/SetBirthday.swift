import ArgumentParser
import UserProfileDomain
import UserProfileKit

/// The command `set-birthday`, which saves a user's birthday.
struct SetBirthday: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-birthday",
        abstract: "Save the birthday of a user.",
        discussion: """
            The date has the form yyyy-MM-dd and must not be in the future. The mail address does not change.

            EXAMPLE
              profile-cli set-birthday 2011-08-01
            """)

    @Argument(help: "The date, yyyy-MM-dd.")
    var date: String

    @OptionGroup(title: "Common Options") var options: UserOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let birthday = try Birthday(date)
            let user = try session.savedUser
            try await session.withStorage(saving: true) { storage in
                try await storage.profiles.saveBirthday(birthday, of: user, now: .now)
            }
            session.note("saved the birthday of \(user)")
        }
    }
}
