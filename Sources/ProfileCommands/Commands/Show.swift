import ArgumentParser
import ProfileFormats
import UserProfileDomain
import UserProfileKit

/// The command `show`, which prints a user.
struct Show: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the profile of a user.",
        discussion: """
            Prints the user, the mail address and the birthday, one per line; on a terminal also the age. If the user \
            is not saved, the command prints nothing and exits with 1.

            EXAMPLE
              profile-cli show --user vision --format json
            """)

    @OptionGroup(title: "Common Options") var options: UserOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let id = session.user
            guard let user = try await session.withStorage({ try await $0.users.find(id) }) else {
                throw try await session.nothingSaved("the user \(id) is not saved")
            }
            switch session.format {
            case .text:
                let now = Instant.now
                let today = now.date(utcOffset: now.localUTCOffset)
                try Console.write(UserCard(user: user, today: today).lines(isDetailed: Console.isTerminal))
            case .json: try Console.write(jsonLines: [ProfileWriter.json(user)])
            }
        }
    }
}
