import ArgumentParser
import UserProfileDomain
import UserProfileKit

/// The command `list`, which selects, sorts and prints users.
struct List: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List all users, or those that meet a condition.",
        discussion: """
            Prints a line for each user: id, mail address and birthday, in columns with a header on a terminal and \
            separated by tabs elsewhere. With --format json each line is a JSON object with id, mailAddress and \
            birthday, as `export` writes it. The order is that of the ids, by bytes, unless --sort is given.

            CONDITIONS
            A condition compares the fields id, mail, birthday and day (month and day of the birthday, MM-dd):

              birthday < 1990-01-01          also <=, >, >=, and for mail also = and !=
              day between 12-24 and 12-31    both days included
              mail in (a@example.com, b@example.com)
              mail contains example.com      mail and id only, as is: mail begins vision@
              mail begins v ignoring case    also with contains; of ASCII letters
              birthday exists

            Conditions are joined by and, or, not and parentheses; and binds more tightly than or. Quote a value that \
            contains spaces or symbols, 'like this' or "like this". Comparisons are case-sensitive by default, \
            except for the domain of a mail address. != is true for a user without the value, every other comparison \
            is false.

            SORTING
            --sort takes fields separated by commas, each followed by desc for descending order. Users without the \
            value come first, with desc last. Ties are ordered by id.

            INDEXES
            Conditions on the mail address, the birthday and the day, and a sort by one of them, use an index; others \
            read all users. --explain prints how the users are found instead of listing them. A syntax error in a \
            condition or a sort is marked and ends with 64, an invalid value with 65.

            EXAMPLES
              profile-cli list --format json | jq -r .mailAddress
              profile-cli list --where 'birthday >= 1990-01-01' --sort 'birthday desc, mail'
              profile-cli list --where 'not mail exists' --limit 10
              profile-cli list --where 'mail = vision@example.com' --explain
            """)

    @OptionGroup(title: "Query Options") var queryOptions: UserQueryOptions

    @Flag(help: "Print how the users are found, and how many are read.")
    var explain = false

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let query = try queryOptions.query()
            if explain {
                return try await session.withStorage { try write(try await $0.users.explain(query), session.format) }
            }
            try await session.withStorage(buildingIndexes: query.filter != nil || !query.sort.isEmpty) { storage in
                var list = UserList(session.format)
                try await list.write(query, from: storage.users)
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
}

/// The JSON output for the explanation of a query. If the query uses no index, the members that describe an index are
/// omitted.
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
