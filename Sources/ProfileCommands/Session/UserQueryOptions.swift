import ArgumentParser
import UserProfileDomain

/// The options that select users, their order and their number.
struct UserQueryOptions: ParsableArguments {
    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "Which users: a condition, e.g. 'birthday < 1990-01-01'; see `profile-cli help list`.",
            valueName: "condition"))
    var condition: String?

    @Option(help: ArgumentHelp("In which order, e.g. 'birthday desc, mail'.", valueName: "fields"))
    var sort: String?

    @Option(help: ArgumentHelp("How many users at most.", valueName: "number"))
    var limit: Int?

    func validate() throws {
        if let limit, limit < 1 { throw ArgumentParser.ValidationError("--limit is a number from 1 on, not \(limit)") }
    }

    /// Returns the query.
    ///
    /// - Throws: ``QueryError``, which contains the position of the error.
    func query() throws -> Query<User> {
        Query(where: try condition.map(QueryParser.filter), sort: try sort.map(QueryParser.sort) ?? [], limit: limit)
    }
}
