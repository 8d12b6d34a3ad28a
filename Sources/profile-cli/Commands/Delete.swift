import ArgumentParser
import UserProfileDomain
import UserProfileKit

/// `delete`
struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Delete the profile of a user.",
        discussion: """
            Deletes the mail address and the birthday. Where the user was never saved, it ends with 1.

            EXAMPLE
              profile-cli delete --user vision
            """)

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await Session.run(options) { session in
            let id = session.user
            guard try await session.withStorage({ try await $0.users.delete(id) }) else {
                throw NothingSaved(message: "the user \(id) is not saved")
            }
            session.note("deleted \(id)")
        }
    }
}
