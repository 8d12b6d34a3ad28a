import UserProfileDomain

extension SQLiteProfile {
    /// Creates the table row of a user.
    init(_ user: User) {
        self.init(id: user.id.text, mailAddress: user.mailAddress?.text, birthday: user.birthday?.description)
    }
}

extension SQLiteProfiles {
    /// Creates a database with a number of profiles.
    static func make(count: Int, indexedBy columns: [String] = [], on stage: Stage) throws -> SQLiteProfiles {
        let profiles = try SQLiteProfiles(path: stage.newPath() + ".sqlite", indexedBy: columns)
        var first = 0
        while first < count {
            let part = try (first..<min(first + 10_000, count)).map { try Profiles.user($0) }
            if !columns.isEmpty {
                try profiles.put(part.map { (SQLiteProfile($0), $0.comparableMailAddress) })
            } else {
                try profiles.put(part.map { SQLiteProfile($0) })
            }
            first += part.count
        }
        try profiles.checkpoint()
        stage.settle()
        return profiles
    }

    /// Closes the database and removes its files.
    func remove(on stage: Stage) throws {
        try close()
        for suffix in ["", "-wal", "-shm"] where stage.exists(path + suffix) { try stage.remove(path + suffix) }
    }

    /// Throws ``Failure`` unless the rows contain the given users.
    static func compare(_ profiles: some Sequence<SQLiteProfile>, _ users: [User], _ work: String) throws {
        guard users.map({ SQLiteProfile($0) }) == Array(profiles) else {
            throw Failure("\(work): GRDB returned a different result")
        }
    }
}

extension User {
    /// The text by which queries compare the mail address.
    var comparableMailAddress: String { if case .text(let text)? = mailAddress?.operand { text } else { "" } }
}
