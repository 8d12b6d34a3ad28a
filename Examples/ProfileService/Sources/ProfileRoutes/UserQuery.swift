import Hummingbird
import UserProfileKit

extension Request {
    /// The query of the parameters `where`, `sort`, `after` and `limit`.
    var userQuery: Query<User> {
        get throws {
            let parameters = uri.queryParameters
            let limit = try parameters.get("limit").map { text in
                guard let limit = Int(text), (1...1000).contains(limit) else {
                    throw HTTPError(.badRequest, message: "limit must be a number from 1 to 1000")
                }
                return limit
            }
            var cursor: Query<User>.Cursor?
            let position = parameters.getAll("after")
            if let id = position.last {
                // No value of a user is the empty text, so it represents a missing one.
                cursor = Query<User>.Cursor(
                    values: position.dropLast().map { $0.isEmpty ? nil : .text($0) }, id: try UserID(stored: id))
            }
            return Query(
                where: try userFilter, sort: try parameters.get("sort").map(Sort.parse) ?? [], limit: limit ?? 100,
                after: cursor)
        }
    }

    /// The filter of the parameter `where`, or `nil` if the request has no such parameter.
    var userFilter: Filter<User>? {
        get throws { try uri.queryParameters.get("where").map(Filter.init(parsing:)) }
    }
}
