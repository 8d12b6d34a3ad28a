import ArgumentParser
import UserProfileKit

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
        if queryOptions.condition != nil, options.user != nil {
            throw UsageError("--where and --user cannot be combined")
        }
        if queryOptions.condition == nil, queryOptions.sort != nil || queryOptions.limit != nil {
            throw UsageError("--sort and --limit require --where")
        }
    }

    func run(in session: Session) async throws {
        let query = queryOptions.condition == nil ? nil : try queryOptions.query()
        let id = session.user
        let users = try await session.openToWatch(buildingIndexes: query != nil).users
        if let query {
            for try await page in users.updates(matching: query) { try write(page.entities, session) }
        } else {
            for try await user in users.updates(of: id) { try write(user, id, session) }
        }
        Interruption.exitIfInterrupted()
    }

    private func write(_ user: User?, _ id: UserID, _ session: Session) throws {
        guard let user else {
            return try session.write([id.text.printable], json: ["id": id.text, "isSaved": false])
        }
        try session.write(Table.plainLines([user.cells]), jsonLines: [ProfileFormat.json(user)])
    }

    private func write(_ users: [User], _ session: Session) throws {
        try session.write(
            Table.plainLines(users.map(\.cells)) + [""],
            jsonLines: ["{\"users\":[\(users.map(ProfileFormat.json).joined(separator: ","))]}"])
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
        let query = try queryOptions.query()
        let weather = try await session.openToWatch(buildingIndexes: city == nil).weather
        if let city {
            for try await weather in weather.updates(of: city) { try write(weather, city, session) }
        } else {
            for try await page in weather.updates(matching: query) { try write(page.entities, session) }
        }
        Interruption.exitIfInterrupted()
    }

    private func write(_ weather: Weather?, _ city: CityCode, _ session: Session) throws {
        try session.write(
            (weather?.plainLines() ?? []) + [""],
            json: weather?.json() ?? ["city": city.text, "isSaved": false])
    }

    private func write(_ cities: [Weather], _ session: Session) throws {
        try session.write(
            Table.plainLines(cities.map(\.cells)) + [""],
            json: ["cities": cities.map { $0.json() }])
    }
}

extension Session {
    /// Opens the storage for a command that writes each state, until the program is interrupted or the reader of its
    /// output closes the pipe.
    fileprivate func openToWatch(buildingIndexes: Bool) async throws -> UserProfileStorage {
        await Interruption.install()
        Interruption.exitOnBrokenPipe()
        return try await open(buildingIndexes: buildingIndexes)
    }
}
