import ArgumentParser

/// The command `watch`, which prints one user, or the users that meet a condition, and prints them again after each
/// change.
struct Watch: ProgramCommand {
    static let help: CommandHelp = """
        watch: Print one user, or the users that meet a condition, after each change.

        Prints the current state, and prints it again after each change by any program, until Ctrl-C. A slow reader \
        misses intermediate states, but never the last one.

        A user is one line; only the id if the user is not saved. With --where, an empty line follows each state. With \
        --json each state is one line: a user, {"id":…,"isSaved":false}, or {"users":[…]}.

        EXAMPLES
          profile-cli watch --user vision
          profile-cli watch --where 'birthday >= 1990-01-01' --sort mail --json | jq .
        """

    @OptionGroup(title: "Query Options") var queryOptions: UserQueryOptions

    @OptionGroup(title: "Common Options") var options: UserOptions

    func validate() throws {
        if queryOptions.selection.condition != nil, options.user != nil {
            throw UsageError("--where and --user cannot be combined")
        }
        if queryOptions.selection.condition == nil, queryOptions.sort != nil || queryOptions.limitation.limit != nil {
            throw UsageError("--sort and --limit require --where")
        }
    }

    func run(in session: Session) async throws {
        let query = try queryOptions.query()
        let id = session.user
        try await session.watch(query.filter == nil ? id : nil, query, in: \.users) { user in
            guard let user else {
                return try session.write([id.text.printable], json: ["id": id.text, "isSaved": false])
            }
            try session.write(Table.plainLines([user.cells]), jsonLines: [ProfileFormat.json(user)])
        } all: { users in
            try session.write(
                Table.plainLines(users.map(\.cells)) + [""],
                jsonLines: ["{\"users\":[\(users.map(ProfileFormat.json).joined(separator: ","))]}"])
        }
    }
}

/// The command `forecast watch`, which prints the saved weather of one city, or of the cities that meet a condition,
/// and prints it again after each change.
struct ForecastWatch: ProgramCommand {
    static let help: CommandHelp = """
        watch: Print the saved weather of one or more cities after each change.

        Prints the current state, and prints it again after each change by any program, until Ctrl-C. A slow reader \
        misses intermediate states, but never the last one.

        A city is one line for each day, all cities are one line each, and an empty line follows each state. With \
        --json each state is one line: a city, {"city":…,"isSaved":false}, or {"cities":[…]}.

        EXAMPLES
          profile-cli forecast watch 130010
          profile-cli forecast watch --where 'day (weather contains 雪)' --json | jq .
        """

    @Argument(help: "The city: a six-digit code or a name (default: all cities).", completion: .city)
    var city: String?

    @OptionGroup(title: "Forecast Query Options") var queryOptions: WeatherQueryOptions

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func validate() throws {
        if city != nil, queryOptions.isGiven {
            throw UsageError("a city cannot be combined with --where, --sort or --limit")
        }
    }

    func run(in session: Session) async throws {
        let city = try city.map(CityCode.init(codeOrName:))
        try await session.watch(city, queryOptions.query(), in: \.weather) { weather in
            try session.write(
                (weather?.plainLines() ?? []) + [""],
                json: weather?.json() ?? ["city": city?.text, "isSaved": false])
        } all: { cities in
            try session.write(
                Table.plainLines(cities.map(\.cells)) + [""], json: ["cities": cities.map { $0.json() }])
        }
    }
}

extension Session {
    /// Writes each state of one entity, or of the entities of a query if `id` is `nil`, until the program is
    /// interrupted or the reader of its output closes the pipe.
    fileprivate func watch<Entity: Sendable>(
        _ id: Entity.ID?, _ query: Query<Entity>, in repository: KeyPath<UserProfileStorage, any Repository<Entity>>,
        one: (Entity?) throws -> Void, all: ([Entity]) throws -> Void
    ) async throws where Entity.ID: Sendable {
        await Interruption.install()
        Interruption.exitOnBrokenPipe()
        let repository = try await open(buildingIndexes: id == nil)[keyPath: repository]
        if let id {
            for try await entity in repository.updates(of: id) { try one(entity) }
        } else {
            for try await page in repository.updates(matching: query) { try all(page.entities) }
        }
        await opened.close()
        Interruption.exitIfInterrupted()
    }
}
