import ArgumentParser
import ProfileFormats
import UserProfileDomain

/// The option that selects users by a condition.
struct UserConditionOption: ParsableArguments {
    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "The condition, e.g. 'birthday < 1990-01-01'; see `profile-cli list --help`.",
            valueName: "condition"),
        completion: QueryCompletion.condition)
    var condition: String?

    /// Returns the filter, or `nil` if no condition is given.
    ///
    /// - Throws: `QueryError`, which contains the position of the error.
    func filter() throws(QueryError) -> Filter<User>? {
        guard let condition else { return nil }
        return try Filter(parsing: condition)
    }
}
