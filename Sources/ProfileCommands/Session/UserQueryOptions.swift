import ArgumentParser
import ProfileFormats
import UserProfileDomain

/// The options that select users, their order and their number.
struct UserQueryOptions: ParsableArguments {
    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "The condition, e.g. 'birthday < 1990-01-01'; see `profile-cli list --help`.",
            valueName: "condition"))
    var condition: String?

    @Option(help: ArgumentHelp("The order, e.g. 'birthday desc, mail'.", valueName: "fields"))
    var sort: String?

    @Option(help: ArgumentHelp("The maximum number of users.", valueName: "number"))
    var limit: Int?

    func validate() throws {
        if let limit, limit < 1 { throw ArgumentParser.ValidationError("--limit must be 1 or more, not \(limit)") }
    }

    /// Returns the query that the options describe.
    ///
    /// - Throws: `QueryError` with the position of the error if a condition or a sort is invalid.
    func query() throws -> Query<User> {
        Query(where: try condition.map(Filter.init(parsing:)), sort: try sort.map(Sort.parse) ?? [], limit: limit)
    }
}
