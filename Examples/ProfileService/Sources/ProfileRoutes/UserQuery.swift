import Hummingbird
import UserProfileKit

extension Request {
    /// The query of the parameters `filter`, `sort`, `after` and `limit`.
    var userQuery: Query<User> {
        get throws {
            let parameters = uri.queryParameters
            let sort = try parameters.get("sort").map(Sort<User>.list) ?? []
            let limit = try parameters.get("limit").map { text in
                guard let limit = Int(text), (1...1000).contains(limit) else {
                    throw HTTPError(.badRequest, message: "limit is a number from 1 to 1000")
                }
                return limit
            }
            var cursor: Query<User>.Cursor?
            let position = parameters.getAll("after")
            if let id = position.last {
                // No value of a user is the empty text, so it represents a missing one.
                cursor = Query<User>.Cursor(
                    values: position.dropLast().map { $0.isEmpty ? nil : .text($0) }, id: try UserID(id))
            }
            return Query(where: try userFilter, sort: sort, limit: limit ?? 100, after: cursor)
        }
    }

    /// The filter of the parameter `filter`, or `nil` if there is none.
    var userFilter: Filter<User>? {
        get throws { try uri.queryParameters.get("filter").map(FilterParser.filter) }
    }
}

extension Sort<User> {
    /// Parses the names of fields, separated by commas. A hyphen before a name reverses the order.
    fileprivate static func list(_ text: String) throws -> [Sort] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { name in
            let isDescending = name.hasPrefix("-")
            return switch UserField(rawValue: String(isDescending ? name.dropFirst() : name)) {
            case .id: isDescending ? .descending(\.id) : .ascending(\.id)
            case .mailAddress: isDescending ? .descending(\.mailAddress) : .ascending(\.mailAddress)
            case .birthday: isDescending ? .descending(\.birthday) : .ascending(\.birthday)
            case .monthDay: isDescending ? .descending(\.monthDay) : .ascending(\.monthDay)
            case nil: throw HTTPError(.badRequest, message: "there is no field \(name); use \(UserField.names)")
            }
        }
    }
}

/// A field of a user in the parameters of a request.
enum UserField: String, CaseIterable {
    case id, mailAddress, birthday, monthDay

    /// All names, for messages.
    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
