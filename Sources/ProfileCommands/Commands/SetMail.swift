import ArgumentParser
import UserProfileDomain
import UserProfileKit

/// The command `set-mail`, which saves a user's mail address.
struct SetMail: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-mail",
        abstract: "Save the mail address of a user.",
        discussion: """
            The address must be valid according to RFC 5321; letters of any script are allowed (RFC 6531). It is saved \
            as typed. The birthday does not change.

            EXAMPLE
              profile-cli set-mail vision@example.com
            """)

    @Argument(help: "The mail address, e.g. vision@example.com.")
    var address: String

    @OptionGroup(title: "Common Options") var options: UserOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let address = try MailAddress(address)
            let user = try session.savedUser
            try await session.withStorage(saving: true) { storage in
                try await storage.profiles.saveMailAddress(address, of: user)
            }
            session.note("saved the mail address of \(user)")
        }
    }
}
