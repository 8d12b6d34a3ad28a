public import ArgumentParser
public import ProfileFormats
import UserProfileDomain
public import UserProfileKit

/// The options from which a ``Session`` is created. A group without one of these options has its default.
protocol SessionOptions: ParsableArguments {
    var environment: String? { get }
    var store: String? { get }
    var user: String? { get }
    var format: OutputFormat { get }
    var verbose: Bool { get }
}

extension SessionOptions {
    var environment: String? { nil }
    var store: String? { nil }
    var user: String? { nil }
    var format: OutputFormat { .text }
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

/// The options of nearly every command: the store and the output format.
struct StoreOptions: SessionOptions {
    @Option(help: "The format of results.")
    var format: OutputFormat = .text

    @OptionGroup var location: LocationOptions

    var environment: String? { location.environment }
    var store: String? { location.store }
    var verbose: Bool { location.verbose }
}

/// The options of commands that read or change a single user.
struct UserOptions: SessionOptions {
    @Option(help: ArgumentHelp("The id of the user, up to 200 bytes.", valueName: "id"), completion: Completion.user)
    var user: String?

    @OptionGroup var common: StoreOptions

    var environment: String? { common.environment }
    var store: String? { common.store }
    var format: OutputFormat { common.format }
    var verbose: Bool { common.verbose }
}

/// The options that select the store, for commands that do not require a user.
struct LocationOptions: SessionOptions {
    @Option(help: "The store: lmdb:PATH, plist:PATH, postgres://… or memory:.", completion: Completion.store)
    var store: String?

    @Option(
        help: "The environment: development, staging or production; each has its own store.",
        completion: .list(["development", "staging", "production"]))
    var environment: String?

    @OptionGroup var verbosity: VerbosityOptions

    var verbose: Bool { verbosity.verbose }
}

/// The option `--verbose`, which every command has.
struct VerbosityOptions: SessionOptions {
    @Flag(help: "Report each step, and the causes of a failure.")
    var verbose = false
}

/// The option that selects users by a condition.
struct UserConditionOption: ParsableArguments {
    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "The condition, e.g. 'birthday < 1990-01-01'; see `profile-cli list --help`.",
            valueName: "condition"),
        completion: Completion.userCondition)
    var condition: String?

    /// Returns the filter, or `nil` if no condition is given.
    ///
    /// - Throws: `QueryError`, which contains the position of the error.
    func filter() throws(QueryError) -> Filter<User>? { try condition.map(Filter.init(parsing:)) }
}

/// The options of a query of users: the condition, the order, and the maximum number of users.
struct UserQueryOptions: ParsableArguments {
    @OptionGroup var selection: UserConditionOption

    @Option(
        help: ArgumentHelp("The sort order, e.g. 'birthday desc, mail'.", valueName: "fields"),
        completion: Completion.userSort)
    var sort: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The maximum number of users.", valueName: "number"))
    var limit: Int?

    func validate() throws {
        if let limit, limit < 1 { throw ArgumentParser.ValidationError("--limit must be 1 or more, not \(limit)") }
    }

    /// The condition in the query language, or `nil` if the option is not given.
    var condition: String? { selection.condition }

    /// Returns the query that the options describe.
    ///
    /// - Throws: `QueryError` with the position of the error if a condition or a sort is invalid.
    func query() throws -> Query<User> {
        Query(where: try selection.filter(), sort: try sort.map(Sort.parse) ?? [], limit: limit)
    }
}

/// The options of a query of saved weather: the condition, the order, and the maximum number of cities.
struct WeatherQueryOptions: ParsableArguments {
    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "The condition, e.g. 'day (highest > 30)'; see `profile-cli forecast list --help`.",
            valueName: "condition"),
        completion: Completion.weatherCondition)
    var condition: String?

    @Option(
        help: ArgumentHelp("The sort order, e.g. 'published desc'.", valueName: "fields"),
        completion: Completion.weatherSort)
    var sort: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The maximum number of cities.", valueName: "number"))
    var limit: Int?

    func validate() throws {
        if let limit, limit < 1 { throw ArgumentParser.ValidationError("--limit must be 1 or more, not \(limit)") }
    }

    /// Whether at least one of the options is given.
    var isGiven: Bool { condition != nil || sort != nil || limit != nil }

    /// Returns the query that the options describe.
    ///
    /// - Throws: `QueryError`, which contains the position of the error.
    func query() throws -> Query<Weather> {
        Query(
            where: try condition.map(Filter.init(parsingWeather:)), sort: try sort.map(Sort.parseWeather) ?? [],
            limit: limit)
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

extension ProfileFormat {
    /// Returns the requested format, or the format for the extension of the file name if `format` is `nil`. If the
    /// extension is unknown, returns JSON Lines.
    static func of(_ path: String, _ format: ProfileFormat?) -> ProfileFormat {
        format ?? .ofFile(named: path) ?? .jsonLines
    }
}
