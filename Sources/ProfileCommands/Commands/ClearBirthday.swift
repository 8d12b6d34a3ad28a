import ArgumentParser
import UserProfileKit

/// The command `clear-birthday`, which removes a user's birthday.
struct ClearBirthday: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear-birthday",
        abstract: "Remove the birthday of a user.",
        discussion: """
            Keeps the user and the mail address. If the user has no birthday, the command exits with 1.

            EXAMPLE
              profile-cli clear-birthday --user vision
            """)

    @OptionGroup(title: "Common Options") var options: UserOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let user = session.user
            guard try await session.withStorage({ try await $0.profiles.clearBirthday(of: user) }) else {
                throw try await session.nothingSaved("no birthday is saved for \(user)")
            }
            session.note("removed the birthday of \(user)")
        }
    }
}
