import UserProfileKit

/// The state of the page with all profiles, which its address contains: the condition, the order and the position.
struct ProfilesAddress: Sendable {
    static let path = "/profiles"

    /// The number of profiles on a page.
    static let pageSize = 50

    /// The condition in the query language, or `nil` for all profiles.
    var filter: String?

    /// The order in the query language, or `nil` for the order of the ids.
    var sort: String?

    /// The position after which the page starts, or `nil` for the first page.
    var cursor: Query<User>.Cursor?

    /// Creates the address of the first page of all profiles.
    init() {}

    /// Reads the state from the query of an address. An invalid position is ignored.
    init(_ form: Form) {
        filter = form["where"]
        sort = form["sort"]
        cursor = form["after"].flatMap { Query<User>.Cursor(token: $0) }
    }

    /// The query of the address.
    var form: Form {
        var form = Form()
        form["where"] = filter
        form["sort"] = sort
        form["after"] = cursor?.token
        return form
    }

    /// The address.
    var text: String { form.address(ProfilesAddress.path) }

    /// Returns the address of the profiles that also have a value in a field.
    func adding(_ field: String, _ value: String) -> ProfilesAddress {
        // Within quotes, a quote is written twice.
        let quoted = value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
        let comparison = "\(field) = '\(quoted)'"
        var address = self
        address.cursor = nil
        address.filter =
            switch filter {
            case nil, comparison: comparison
            // An `or` binds less than the added `and`.
            case let filter?: "(\(filter)) and \(comparison)"
            }
        return address
    }

    /// Returns the query to run.
    ///
    /// - Throws: `QueryError` if the condition or the order is invalid.
    func query() throws(QueryError) -> Query<User> {
        let filter = try filter.map { text throws(QueryError) in try Filter<User>(parsing: text) }
        let sort = try sort.map { text throws(QueryError) in try Sort<User>.parse(text) } ?? []
        // A position of another order is useless. The page then starts at the beginning.
        let cursor = cursor.flatMap { $0.values.count == sort.count ? $0 : nil }
        return Query(where: filter, sort: sort, limit: ProfilesAddress.pageSize, after: cursor)
    }
}
