import ArgumentParser
import UserProfileDomain
import UserProfileKit

/// `list`
struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List all users.",
        discussion: """
            Prints a line for each user in the order of their ids: id, mail address and birthday, in columns on a terminal \
            and with tabs between them elsewhere. With --format json each line is a JSON object.

            EXAMPLE
              profile-cli list --format json | jq -r .mailAddress
            """)

    @OptionGroup var options: StoreOptions

    /// How many users are read at a time: a page is in memory as a whole.
    private static let pageSize = 1000

    func run() async throws {
        try await Session.run(options) { session in
            try await session.withStorage { storage in
                var last: UserID?
                repeat {
                    let page = try await storage.users.list(after: last, limit: Self.pageSize)
                    try write(page, session.format)
                    last = page.count == Self.pageSize ? page.last?.id : nil
                } while last != nil
            }
        }
    }

    private func write(_ users: [User], _ format: StoreOptions.Format) throws {
        switch format {
        case .text:
            var table = Table()
            for user in users {
                table.add([user.id.text, user.mailAddress?.text ?? "", user.birthday?.description ?? ""])
            }
            try Console.write(table.lines(aligned: Console.isTerminal))
        case .json: try Console.write(json: users.map(UserOutput.init))
        }
    }
}
