import ProfileFormats
import UserProfileDomain
import UserProfileKit

/// A user as lines of text.
struct UserCard {
    let user: User
    /// The date for which ages are computed, or `nil` to omit ages.
    let today: CalendarDate?

    /// Returns the lines of text. If `isDetailed` is `true`, they include the values that are computed from the
    /// birthday.
    func lines(isDetailed: Bool) -> [String] {
        var table = Table()
        table.add(["user", user.id.text])
        table.add(["mail address", user.mailAddress?.text ?? "none"])
        table.add(["birthday", (user.birthday?.description ?? "none") + (isDetailed ? details : "")])
        return table.lines(aligned: isDetailed)
    }

    private var details: String {
        guard let today, let birthday = user.birthday, let age = birthday.age(on: today),
            let next = birthday.next(onOrAfter: today)
        else { return "" }
        return next == today ? " (\(age) years old today)" : " (\(age) years old, next on \(next))"
    }
}

/// A writer of lists of users. It reads and writes a list page by page.
struct UserList {
    private let format: StoreOptions.Format
    /// The table of users. Its columns have the names of the fields in the options `--where` and `--sort`.
    private var table = Table(header: ["id", "mail", "birthday"])

    /// The maximum number of users on a page of a list that is sorted by id. In any other order, one page contains all
    /// users.
    private static let pageSize = 1000

    init(_ format: StoreOptions.Format) { self.format = format }

    /// Writes the users that a query selects.
    ///
    /// - Returns: The number of written users.
    @discardableResult
    mutating func write(_ query: Query<User>, from users: any Repository<User>) async throws -> Int {
        var query = query
        var remaining = query.limit ?? .max
        var count = 0
        repeat {
            // With any other order than by id, each page would repeat the search and the sort, so one page holds all
            // results.
            if query.sort.isEmpty { query.limit = min(remaining, Self.pageSize) }
            let page = try await users.find(query)
            try write(page.entities)
            remaining -= page.entities.count
            count += page.entities.count
            query.cursor = page.next
        } while query.cursor != nil && remaining > 0
        return count
    }

    private mutating func write(_ users: [User]) throws {
        switch format {
        case .text:
            for user in users {
                table.add([user.id.text, user.mailAddress?.text ?? "", user.birthday?.description ?? ""])
            }
            try Console.write(table.lines(aligned: Console.isTerminal, width: Console.outputWidth))
        case .json: try Console.write(jsonLines: users.map(ProfileWriter.json))
        }
    }
}
