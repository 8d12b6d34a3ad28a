public import ArgumentParser

/// An error of the arguments that parsing reports. The domain has another type of the same name.
typealias UsageError = ArgumentParser.ValidationError

/// The options from which a ``Session`` is created. A group without one of these options has its default. A command
/// with a format of its own has the options itself.
///
/// Groups contain no groups that contain groups: a debug build of ArgumentParser validates each group several times for
/// each group around it, and three levels would make every command start four times as slowly.
protocol SessionOptions: ParsableArguments {
    /// The options that select the store, or `nil` for commands that use no store, or the stores in their arguments.
    var storeLocation: LocationOptions? { get }
    var user: String? { get }
    var output: OutputOptions { get }
}

extension SessionOptions {
    var storeLocation: LocationOptions? { nil }
    var user: String? { nil }
}

/// The options of every command. ``Console/style`` has their values, because an error of the arguments needs them, too.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print results, messages and errors as JSON.")
    var json = false

    @Flag(name: .shortAndLong, help: "Print no messages, only results and errors.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Report each step, and the causes of a failure.")
    var verbose = false

    @Flag(help: "Print errors without color.")
    var noColor = false

    func validate() throws {
        if quiet, verbose { throw UsageError("--quiet and --verbose cannot be combined") }
    }
}

/// The form of the output, which the options of ``OutputOptions`` select.
///
/// It is read from the arguments before they are parsed, because errors of the arguments have this form, too.
struct OutputStyle {
    private(set) var isJSON = false
    private(set) var isQuiet = false
    private(set) var hasNoColor = false

    init(_ arguments: some Sequence<String>) {
        var previous = ""
        for word in arguments {
            switch word {
            case "--": return
            case "--json", "--format=json": isJSON = true
            case "json" where ["--format", "-f"].contains(previous): isJSON = true
            case "--quiet", "-q": isQuiet = true
            case "--no-color": hasNoColor = true
            default: break
            }
            previous = word
        }
    }
}

extension CommandPath {
    /// The options that may precede a command, each with whether a value follows it.
    static let commonOptions = [
        "--store": true, "-s": true, "--environment": true, "-e": true, "--user": true, "-u": true, "--format": true,
        "-f": true, "--key-file": true, "--key-command": true, "--json": false, "--quiet": false, "-q": false,
        "--verbose": false, "-v": false, "--no-color": false,
    ]
}

/// The output format of results.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json

    // ArgumentParser could derive these descriptions from the cases, but this looks up many conformances at run time,
    // and nearly every command has this option.
    var defaultValueDescription: String { rawValue }
    static var allValueStrings: [String] { allCases.map { $0.rawValue } }
    static var allValueDescriptions: [String: String] { [:] }
}

extension ArgumentHelp {
    /// The help of the option `--format`, which nearly every group of options has.
    fileprivate static let format: ArgumentHelp = "The format of results; --json is the same as --format json."
}

/// The option that selects a user.
struct UserOption: ParsableArguments {
    @Option(
        name: .shortAndLong, help: ArgumentHelp("The id of the user, up to 200 bytes.", valueName: "id"),
        completion: .user)
    var user: String?
}

/// The options of commands that use no store, or the stores in their arguments.
struct FormatOptions: SessionOptions {
    @Option(name: .shortAndLong, help: .format)
    var format: OutputFormat = .text

    @OptionGroup var output: OutputOptions
}

/// The options of nearly every command: the store and the output format.
struct StoreOptions: SessionOptions {
    @OptionGroup var location: LocationOptions
    @Option(name: .shortAndLong, help: .format)
    var format: OutputFormat = .text

    @OptionGroup var output: OutputOptions

    var storeLocation: LocationOptions? { location }
}

/// The options of commands that read or change a single user.
struct UserOptions: SessionOptions {
    @OptionGroup var person: UserOption
    @OptionGroup var location: LocationOptions
    @Option(name: .shortAndLong, help: .format)
    var format: OutputFormat = .text

    @OptionGroup var output: OutputOptions

    var storeLocation: LocationOptions? { location }
    var user: String? { person.user }
}

/// The options that select the store, and the key of its sealed fields.
struct LocationOptions: ParsableArguments {
    @Option(
        name: .shortAndLong, help: "The store: lmdb:PATH, plist:PATH, postgres://… or memory:.",
        completion: .store)
    var store: String?

    @Option(
        name: .shortAndLong,
        help: "The environment: development, staging or production; each has its own store.",
        completion: .list(["development", "staging", "production"]))
    var environment: String?

    @Option(help: ArgumentHelp("The file with the key of sealed fields.", valueName: "file"), completion: .file())
    var keyFile: String?

    @Option(help: ArgumentHelp("The shell command that prints the key of sealed fields.", valueName: "command"))
    var keyCommand: String?

    func validate() throws {
        if keyFile != nil, keyCommand != nil {
            throw UsageError("--key-file and --key-command cannot be used together")
        }
    }
}

/// The option that answers the question of a command that cannot be undone.
struct ConfirmationOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    /// Asks the user whether to do something, unless the option is given.
    ///
    /// - Parameter action: The action and its object, e.g. `delete the user me`, or `nil` if the command has nothing to
    ///   do. It is evaluated only if the option is not given.
    /// - Throws: ``CommandError`` unless the answer is `y` or `yes`, or if standard input is not a terminal.
    func confirm(_ action: @autoclosure () async throws -> String?) async throws {
        guard !yes, let action = try await action() else { return }
        guard Console.isInputTerminal else { throw CommandError(.usage, "pass --yes to \(action)") }
        Console.writeError("profile-cli: \("\(action)?".printable) [y/N] ")
        guard ["y", "yes"].contains(readLine()?.lowercased()) else {
            throw CommandError(.notSaved, "nothing was changed")
        }
    }
}

/// The option that selects users by a condition.
struct UserConditionOption: ParsableArguments {
    @Option(
        name: [.customLong("where"), .customShort("w")],
        help: ArgumentHelp(
            "The condition, e.g. 'birthday < 1990-01-01'; see `profile-cli list --help`.",
            valueName: "condition"),
        completion: .userCondition)
    var condition: String?

    /// Returns the filter, or `nil` if no condition is given.
    ///
    /// - Throws: `QueryError`, which contains the position of the error.
    func filter() throws(QueryError) -> Filter<User>? { try condition.map(Filter.init(parsing:)) }
}

/// The option that limits the number of results.
struct LimitOption: ParsableArguments {
    @Option(
        name: .shortAndLong, parsing: .unconditional,
        help: ArgumentHelp("The maximum number of results.", valueName: "number"))
    var limit: Int?

    func validate() throws {
        if let limit, limit < 1 { throw UsageError("--limit must be 1 or more, not \(limit)") }
    }
}

/// The options of a query of users: the condition, the order, and the maximum number of users.
struct UserQueryOptions: ParsableArguments {
    @OptionGroup var selection: UserConditionOption

    @Option(
        help: ArgumentHelp("The sort order, e.g. 'birthday desc, mail'.", valueName: "fields"),
        completion: .userSort)
    var sort: String?

    @OptionGroup var limitation: LimitOption

    /// Returns the query that the options describe.
    ///
    /// - Throws: `QueryError` with the position of the error if a condition or a sort is invalid.
    func query() throws -> Query<User> {
        Query(where: try selection.filter(), sort: try sort.map(Sort.parse) ?? [], limit: limitation.limit)
    }
}

/// The options of a query of saved weather: the condition, the order, and the maximum number of cities.
struct WeatherQueryOptions: ParsableArguments {
    @Option(
        name: [.customLong("where"), .customShort("w")],
        help: ArgumentHelp(
            "The condition, e.g. 'day (highest > 30)'; see `profile-cli forecast list --help`.",
            valueName: "condition"),
        completion: .weatherCondition)
    var condition: String?

    @Option(
        help: ArgumentHelp("The sort order, e.g. 'published desc'.", valueName: "fields"),
        completion: .weatherSort)
    var sort: String?

    @OptionGroup var limitation: LimitOption

    /// Whether at least one of the options is given.
    var isGiven: Bool { condition != nil || sort != nil || limitation.limit != nil }

    /// Returns the query that the options describe.
    ///
    /// - Throws: `QueryError`, which contains the position of the error.
    func query() throws -> Query<Weather> {
        Query(
            where: try condition.map(Filter.init(parsingWeather:)), sort: try sort.map(Sort.parseWeather) ?? [],
            limit: limitation.limit)
    }
}

/// The options of commands that fetch forecasts.
struct ForecastOptions: ParsableArguments {
    @Option(help: "The URL of the weather service: https://HOST or http://HOST.")
    var url: String?

    @Option(help: "The API of the service: tsukumijima, livedoor or open-meteo.")
    var service: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The latitude for Open-Meteo, in degrees north; required if the city has no prefecture office.",
            valueName: "degrees"))
    var latitude: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The longitude for Open-Meteo, in degrees east; required with --latitude.", valueName: "degrees"))
    var longitude: Double?

    /// Whether at least one of the options is given.
    var isGiven: Bool { url != nil || service != nil || latitude != nil || longitude != nil }

    /// Returns the coordinates in the options, or `nil` if neither option is given.
    ///
    /// - Throws: ``CommandError`` if only one of the two options is given. `ValidationError` if a coordinate is out of
    ///   range.
    func coordinates() throws -> Coordinates? {
        switch (latitude, longitude) {
        case (nil, nil): return nil
        case (let latitude?, let longitude?): return try Coordinates(latitude: latitude, longitude: longitude)
        default: throw CommandError(.usage, "--latitude and --longitude must be given together")
        }
    }
}

extension ProfileFormat: ExpressibleByArgument {}
extension ImportOptions.ErrorPolicy: ExpressibleByArgument {}
