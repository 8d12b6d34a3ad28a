import ArgumentParser
import DataStoreCore
import ProfileFormats
import UserProfileDomain
import UserProfileKit

/// The command `watch`, which prints one user, or the users that meet a condition, and prints them again after each
/// change.
struct Watch: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print one user, or the users that meet a condition, after each change.",
        discussion: """
            Prints the current state, and prints it again after each save by any program that changes it. If changes \
            arrive faster than they can be written, intermediate states are skipped; the last one is always printed.

            A user is one line, separated by tabs: id, mail address and birthday; only the id if the user is not \
            saved. With --where, prints one line for each user, as `list` does, and an empty line after each state. \
            With --json each state is one line: the object that `list` prints, or {"id":…,"isSaved":false} if the user \
            is not saved; with --where, {"users":[…]} with these objects.

            The command runs until it is interrupted (Ctrl-C) or terminated, or until the reader of its output closes \
            the pipe.

            EXAMPLES
              profile-cli watch vision
              profile-cli watch --where 'birthday >= 1990-01-01' --sort mail --json | jq .
            """)

    @Argument(
        help: ArgumentHelp("The id of the user (default: the value of --user).", valueName: "user"),
        completion: Completion.user)
    var watched: String?

    @OptionGroup(title: "Query Options") var queryOptions: UserQueryOptions

    @Flag(help: "The same as --format json.")
    var json = false

    @OptionGroup(title: "Common Options") var options: UserOptions

    func validate() throws {
        if watched != nil || queryOptions.condition != nil, options.user != nil {
            throw ArgumentParser.ValidationError("--user cannot be combined with a user or --where")
        }
        if watched != nil, queryOptions.condition != nil {
            throw ArgumentParser.ValidationError("a user and --where cannot be combined")
        }
        if queryOptions.condition == nil, queryOptions.sort != nil || queryOptions.limit != nil {
            throw ArgumentParser.ValidationError("--sort and --limit require --where")
        }
    }

    func run(in session: Session) async throws {
        let query = queryOptions.condition == nil ? nil : try queryOptions.query()
        let id = try watched.map(UserID.init(stored:)) ?? session.user
        try await session.watch(isJSON: json, buildingIndexes: query != nil) { session, storage in
            if let query {
                for try await page in storage.users.updates(matching: query) { try write(page.entities, session) }
            } else {
                for try await user in storage.users.updates(of: id) { try write(user, id, session) }
            }
        }
    }

    private func write(_ user: User?, _ id: UserID, _ session: Session) throws {
        guard let user else {
            return try session.write(
                [Console.printable(id.text)], json: ["id": .string(id.text), "isSaved": .bool(false)])
        }
        switch session.format {
        case .text: try Console.write(lines([user]))
        case .json: try Console.write(jsonLines: [ProfileWriter.json(user)])
        }
    }

    private func write(_ users: [User], _ session: Session) throws {
        switch session.format {
        case .text: try Console.write(lines(users) + [""])
        case .json:
            let list = users.map(ProfileWriter.json).joined(separator: ",")
            try Console.write(jsonLines: ["{\"users\":[\(list)]}"])
        }
    }

    private func lines(_ users: [User]) -> [String] {
        var table = Table()
        for user in users { table.add(user.cells) }
        return table.lines(aligned: false)
    }
}

/// The command `forecast watch`, which prints the saved weather of one city, or of the cities that meet a condition,
/// and prints it again after each change.
struct ForecastWatch: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print the saved weather of one or more cities after each change.",
        discussion: """
            Prints the saved weather, and prints it again after each save by any program that changes it. If changes \
            arrive faster than they can be written, intermediate states are skipped; the last one is always printed.

            With a city, prints one line for each day, as `forecast show` prints it into a pipe. Without a city, \
            prints one line for each city, as `forecast list` does. An empty line follows each state. With --json each \
            state is one line: with a city, the object that `forecast show` prints, or {"city":…,"isSaved":false} if \
            no weather is saved; without a city, {"cities":[…]} with these objects.

            The command runs until it is interrupted (Ctrl-C) or terminated, or until the reader of its output closes \
            the pipe.

            EXAMPLES
              profile-cli forecast watch 130010
              profile-cli forecast watch --where 'day (weather contains 雪)' --json | jq .
            """)

    @Argument(help: "The city: a six-digit code or a name (default: all cities).", completion: Completion.city)
    var city: String?

    @OptionGroup(title: "Forecast Query Options") var queryOptions: WeatherQueryOptions

    @Flag(help: "The same as --format json.")
    var json = false

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func validate() throws {
        if city != nil, queryOptions.isGiven {
            throw ArgumentParser.ValidationError("a city cannot be combined with --where, --sort or --limit")
        }
    }

    func run(in session: Session) async throws {
        let city = try city.map(CityCode.init(codeOrName:))
        let query = try queryOptions.query()
        try await session.watch(isJSON: json, buildingIndexes: city == nil) { session, storage in
            if let city {
                for try await weather in storage.weather.updates(of: city) { try write(weather, city, session) }
            } else {
                for try await page in storage.weather.updates(matching: query) {
                    try write(page.entities, session)
                }
            }
        }
    }

    private func write(_ weather: Weather?, _ city: CityCode, _ session: Session) throws {
        try session.write(
            (weather?.plainLines() ?? []) + [""],
            json: weather?.json() ?? ["city": .string(city.text), "isSaved": .bool(false)])
    }

    private func write(_ cities: [Weather], _ session: Session) throws {
        var table = Table()
        for weather in cities { table.add(weather.cells) }
        try session.write(
            table.lines(aligned: false) + [""], json: ["cities": .array(cities.map { .object($0.json()) })])
    }
}

extension Session {
    /// Runs a closure that writes each state, until the program is interrupted or the reader of its output closes the
    /// pipe. The closure receives the session with the output format.
    fileprivate func watch(
        isJSON: Bool, buildingIndexes: Bool, _ body: (Session, UserProfileStorage) async throws -> Void
    ) async throws {
        var session = self
        if isJSON { session.format = .json }
        await Interruption.install()
        Interruption.exitOnBrokenPipe()
        try await withStorage(buildingIndexes: buildingIndexes) { [session] in try await body(session, $0) }
        Interruption.exitIfInterrupted()
    }
}
