import ArgumentParser
import UserProfileKit

/// The command `clear-mail`, which removes a user's mail address.
struct ClearMail: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear-mail",
        abstract: "Remove the mail address of a user.",
        discussion: """
            Keeps the user and the birthday. If the user has no mail address, the command exits with 1.

            EXAMPLE
              profile-cli clear-mail --user vision
            """)

    @OptionGroup(title: "Common Options") var options: UserOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let user = session.user
            guard try await session.withStorage({ try await $0.profiles.clearMailAddress(of: user) }) else {
                throw try await session.nothingSaved("no mail address is saved for \(user)")
            }
            session.note("removed the mail address of \(user)")
        }
    }
}
