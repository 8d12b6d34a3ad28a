import ArgumentParser
import ProfileFormats
import UserProfileDomain

/// The options of a query of saved weather: the condition, the order, and the maximum number of cities.
struct WeatherQueryOptions: ParsableArguments {
    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "The condition, e.g. 'day (highest > 30)'; see `profile-cli forecast list --help`.",
            valueName: "condition"),
        completion: QueryCompletion.weatherCondition)
    var condition: String?

    @Option(
        help: ArgumentHelp("The sort order, e.g. 'published desc'.", valueName: "fields"),
        completion: QueryCompletion.weatherSort)
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
