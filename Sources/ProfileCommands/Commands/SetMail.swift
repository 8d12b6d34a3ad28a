import ArgumentParser
import UserProfileDomain
import UserProfileKit

/// `set-mail`
struct SetMail: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-mail",
        abstract: "Save the mail address.",
        discussion: """
            The address must be one of RFC 5321, in any script (RFC 6531). It is kept as you type it; the birthday \
            stays as it is. When the command ends with 0, the address is on disk.

            EXAMPLE
              profile-cli set-mail vision@example.com
            """)

    @Argument(help: "The mail address, e.g. vision@example.com.")
    var address: String

    @OptionGroup var options: StoreOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let address = try MailAddress(address)
            try await session.withStorage(saving: true) { storage in
                try await storage.profiles.saveMailAddress(address, of: session.user)
            }
            session.note("saved the mail address of \(session.user)")
        }
    }
}
