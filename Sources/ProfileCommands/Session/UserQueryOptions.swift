import ArgumentParser
import ProfileFormats
import UserProfileDomain

/// The options of a query of users: the condition, the order, and the maximum number of users.
struct UserQueryOptions: ParsableArguments {
    @OptionGroup var selection: UserConditionOption

    @Option(
        help: ArgumentHelp("The sort order, e.g. 'birthday desc, mail'.", valueName: "fields"),
        completion: QueryCompletion.sort)
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
