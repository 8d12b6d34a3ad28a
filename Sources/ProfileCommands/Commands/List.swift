import ArgumentParser
import UserProfileDomain
import UserProfileKit

/// `list`
struct List: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List all users, or those who meet a condition.",
        discussion: """
            Prints a line for each user: id, mail address and birthday, in columns on a terminal and with tabs between \
            them elsewhere. With --format json each line is a JSON object. Users come in the order of their ids, by \
            bytes, unless --sort says otherwise.

            A condition compares the fields id, mail, birthday and day (month and day of the birthday, MM-dd):

              birthday < 1990-01-01          also <=, >, >=, and for mail, too, = and !=
              day between 12-24 and 12-31    both days included
              mail in (a@example.com, b@example.com)
              mail contains example.com      mail and id only, like: mail begins vision@
              birthday exists

            Conditions are joined by and, or, not and parentheses; and binds closer than or. A value with spaces or \
            signs in it stands in quotes, 'like this' or "like this". Case counts, but not in the domain of a mail \
            address. != holds for a user without the value, no other comparison does.

            --sort takes fields with commas between them, each with desc where the greatest comes first. Users without \
            the value come first, with desc last; those who tie come in the order of their ids.

            Conditions on the mail address, the birthday and the day, and an order by one of them, use an index; \
            others look at all users. With --explain the command says how the users are found instead of listing them. \
            A mistake in a condition or a sort is pointed at, and ends with 64, or with 65 where it is a value that \
            breaks a rule.

            EXAMPLES
              profile-cli list --format json | jq -r .mailAddress
              profile-cli list --where 'birthday >= 1990-01-01' --sort 'birthday desc, mail'
              profile-cli list --where 'not mail exists' --limit 10
              profile-cli list --where 'mail = vision@example.com' --explain
            """)

    @OptionGroup var queryOptions: UserQueryOptions

    @Flag(help: "Say how the users are found, and how much is looked at for it.")
    var explain = false

    @OptionGroup var options: StoreOptions

    /// The number of users read at a time. A page is held in memory as a whole.
    private static let pageSize = 1000

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            var query = try queryOptions.query()
            if explain {
                return try await session.withStorage { try write(try await $0.users.explain(query), session.format) }
            }
            try await session.withStorage(buildingIndexes: query.filter != nil || !query.sort.isEmpty) { storage in
                var remaining = queryOptions.limit ?? .max
                repeat {
                    // With any other order than by id, each page would repeat the search and the sort, so one page
                    // holds all results.
                    if query.sort.isEmpty { query.limit = min(remaining, Self.pageSize) }
                    let page = try await storage.users.find(query)
                    try write(page.entities, session.format)
                    remaining -= page.entities.count
                    query.cursor = page.next
                } while query.cursor != nil && remaining > 0
            }
            try await session.mentionMissingStore()
        }
    }

    private func write(_ explanation: QueryExplanation, _ format: StoreOptions.Format) throws {
        switch format {
        case .text: try Console.write("\(explanation)")
        case .json: try Console.write(json: ExplanationOutput(explanation))
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

/// The plan of a query as JSON. Without an index, its fields are omitted.
private struct ExplanationOutput: Encodable {
    let index: String?
    let isInOrder: Bool?
    let entriesLookedAt: Int?
    let usersLookedAt: Int
    let usersFound: Int

    init(_ explanation: QueryExplanation) {
        let hasIndex = explanation.index != nil
        index = explanation.index
        isInOrder = hasIndex ? explanation.isInOrder : nil
        entriesLookedAt = hasIndex ? explanation.entryCount : nil
        usersLookedAt = explanation.entityCount
        usersFound = explanation.foundCount
    }
}
