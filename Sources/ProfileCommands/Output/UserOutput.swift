extension User {
    /// The cells of the user's row in a list: the id, the mail address and the birthday.
    var cells: [String] { [id.text, mailAddress?.text ?? "", birthday?.description ?? ""] }

    /// The values that are computed from the birthday, as the end of a line. It is empty if `today` is `nil`.
    fileprivate func age(_ today: CalendarDate?) -> String {
        guard let today, let birthday, let age = birthday.age(on: today), let next = birthday.next(onOrAfter: today)
        else { return "" }
        return next == today ? " (\(age) years old today)" : " (\(age) years old, next on \(next))"
    }
}

extension Session {
    /// Writes a user as a card, or as one line of JSON. On a terminal, the card includes the age, unless `today` is
    /// `nil`.
    func write(_ user: User, today: CalendarDate? = nil) throws {
        let mail = user.mailAddress?.text ?? "none"
        let birthday = (user.birthday?.description ?? "none") + (Console.isTerminal ? user.age(today) : "")
        var table = Table()
        let lines = table.lines([["user", user.id.text], ["mail address", mail], ["birthday", birthday]])
        try write(lines, jsonLines: [ProfileFormat.json(user)])
    }

    /// Writes the users that a query selects, page by page.
    ///
    /// - Returns: The number of written users.
    @discardableResult
    func write(_ query: Query<User>, from users: any Repository<User>) async throws -> Int {
        // The columns have the names of the fields in the options `--where` and `--sort`.
        var table = Table(header: ["id", "mail", "birthday"])
        var query = query
        var remaining = query.limit ?? .max
        var count = 0
        repeat {
            // With any other order than by id, each page would repeat the search and the sort, so one page holds all
            // results.
            if query.sort.isEmpty { query.limit = min(remaining, 1000) }
            let page = try await users.find(query)
            try write(table.lines(page.entities.map(\.cells)), jsonLines: page.entities.map(ProfileFormat.json))
            remaining -= page.entities.count
            count += page.entities.count
            query.cursor = page.next
        } while query.cursor != nil && remaining > 0
        return count
    }
}
