import ArgumentParser
import UserProfileDomain
import UserProfileKit

/// The command `delete`, which deletes a user.
struct Delete: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete the profile of a user.",
        discussion: """
            Deletes the mail address and the birthday. If standard input is a terminal, the command asks for \
            confirmation unless --yes is given. If the user is not saved, or the answer is not y or yes, it ends with \
            1.

            EXAMPLE
              profile-cli delete --user vision
            """)

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let id = session.user
            try await session.withStorage { storage in
                if !yes, Console.isInputTerminal, let user = try await storage.users.find(id) {
                    guard Console.confirms("delete \(Self.description(of: user))?") else {
                        throw NothingSaved(message: "nothing was deleted")
                    }
                }
                guard try await storage.users.delete(id) else {
                    throw try await session.nothingSaved("the user \(id) is not saved")
                }
            }
            session.note("deleted \(id)")
        }
    }

    private static func description(of user: User) -> String {
        let values = [user.mailAddress?.text, user.birthday?.description].compactMap(\.self)
        return values.isEmpty ? "the user \(user.id)" : "the user \(user.id) (\(values.joined(separator: ", ")))"
    }
}
