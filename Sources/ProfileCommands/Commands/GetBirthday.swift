import ArgumentParser
import UserProfileDomain
import UserProfileKit

/// The command `get-birthday`, which prints a user's birthday.
struct GetBirthday: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "get-birthday",
        abstract: "Print the birthday of a user.",
        discussion: """
            Prints only the date, yyyy-MM-dd. If the user has no birthday, the command prints nothing and exits with \
            1.

            EXAMPLE
              profile-cli get-birthday --user vision
            """)

    @OptionGroup(title: "Common Options") var options: UserOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let user = session.user
            guard let birthday = try await session.withStorage({ try await $0.profiles.birthday(of: user) }) else {
                throw try await session.nothingSaved("no birthday is saved for \(user)")
            }
            switch session.format {
            case .text: try Console.write(birthday.description)
            case .json: try Console.write(json: ["birthday": birthday.description])
            }
        }
    }
}
