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
