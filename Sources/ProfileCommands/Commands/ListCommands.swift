import ArgumentParser

/// The command `list`, which selects, sorts and prints users.
struct List: ProgramCommand {
    static let help: CommandHelp = """
        list: List all users, or the users that meet a condition.

        Prints id, mail address and birthday of each user, sorted by id.

        CONDITIONS
        A condition compares the fields id, mail, birthday and day (month and day of the birthday, MM-dd):

          birthday < 1990-01-01          also <=, >, >=, = and !=; for mail only = and !=
          day between 12-24 and 12-31    includes both days
          mail in (a@example.com, b@example.com)
          mail contains example.com      also begins and ends; only for mail and id
          mail like 'v?sion@*.com'       * is any text, ? one character, \\ removes their meaning
          mail begins v ignoring case    also with =, ends, contains and like
          birthday exists

        Combine conditions with and, or, not and parentheses. Quote a value that contains spaces or symbols. For a \
        user without the value, != is true and every other comparison is false.

        SORTING
        --sort takes fields separated by commas; desc after a field reverses it. Users without the value come first.

        INDEXES
        mail, birthday and day have indexes. The conditions !=, contains, ends, and those that ignore case, use no \
        index. --explain prints the index that a query uses, how many users it reads, and why it uses no other index.

        EXAMPLES
          profile-cli list --json | jq -r .mailAddress
          profile-cli list --where 'birthday >= 1990-01-01' --sort 'birthday desc, mail'
          profile-cli list --where 'not mail exists' --limit 10
          profile-cli list --where 'mail = vision@example.com' --explain
        """

    @OptionGroup(title: "Query Options") var queryOptions: UserQueryOptions

    @Flag(help: "Print the index that the query uses, and the number of users that it reads.")
    var explain = false

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in session: Session) async throws {
        let query = try queryOptions.query()
        // An explanation also builds missing indexes, so that it describes the query that a list would run.
        let users = try await session.open(buildingIndexes: query.filter != nil || !query.sort.isEmpty).users
        if explain { return try write(try await users.explain(query), session) }
        try await session.write(query, from: users)
        try await session.mentionMissingStore()
    }

    private func write(_ explanation: QueryExplanation, _ session: Session) throws {
        let hasIndex = explanation.index != nil
        try session.write(
            ["\(explanation)".replacing("entities", with: "users").replacing("entity", with: "user")],
            json: [
                "index": explanation.index, "isInOrder": hasIndex ? explanation.isInOrder : nil,
                "entriesRead": hasIndex ? explanation.entryCount : nil,
                "usersRead": explanation.entityCount, "usersFound": explanation.foundCount,
                "unusedIndexes": explanation.unusedIndexes.isEmpty ? nil : explanation.unusedIndexes,
            ])
    }
}

/// The command `count`, which prints the number of all users or of the users that meet a condition.
struct Count: ProgramCommand {
    static let help: CommandHelp = """
        count: Count all users, or the users that meet a condition.

        Prints only the number. With --format json, prints an object {"count":…}.

        EXAMPLES
          profile-cli count
          profile-cli count --where 'not mail exists'
        """

    @OptionGroup(title: "Query Options") var condition: UserConditionOption

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in session: Session) async throws {
        let filter = try condition.filter()
        let count = try await session.open(buildingIndexes: filter != nil).users.count(where: filter)
        try await session.mentionMissingStore()
        try session.write(["\(count)"], json: ["count": count])
    }
}
