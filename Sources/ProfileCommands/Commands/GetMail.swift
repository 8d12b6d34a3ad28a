import ArgumentParser
import UserProfileDomain
import UserProfileKit

/// The command `get-mail`, which prints a user's mail address.
struct GetMail: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "get-mail",
        abstract: "Print the mail address of a user.",
        discussion: """
            Prints only the address, for use in scripts. If the user has no mail address, the command prints nothing \
            and exits with 1.

            EXAMPLE
              mail -s hello "$(profile-cli get-mail)"
            """)

    @OptionGroup(title: "Common Options") var options: UserOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let user = session.user
            guard let address = try await session.withStorage({ try await $0.profiles.mailAddress(of: user) }) else {
                throw try await session.nothingSaved("no mail address is saved for \(user)")
            }
            switch session.format {
            case .text: try Console.write(Console.isTerminal ? Console.printable(address.text) : address.text)
            case .json: try Console.write(json: ["mailAddress": address.text])
            }
        }
    }
}
