import GRDB
import UserProfileDomain

/// The peer that keeps profiles in SQLite through GRDB, as the documentation of GRDB recommends for speed.
///
/// It uses a pool in WAL mode, cached statements, columns by index, and a memory-mapped file. A commit is as durable as
/// in this package, because `synchronous` is FULL. The table has no rowid, so a profile is stored in one tree by its
/// id, as in this package.
final class SQLiteProfiles: Sendable {
    let path: String
    private let pool: DatabasePool

    /// Opens the database, and creates the table if it does not exist.
    ///
    /// - Parameters:
    ///   - path: The path of the database file.
    ///   - columns: The indexed columns, which correspond to the indexes of this package: `comparable` (the mail
    ///     address with its domain lowercased), `birthday`, `monthDay`.
    /// - Throws: Any error of GRDB, or ``Failure`` if commits would not be durable.
    init(path: String, indexedBy columns: [String] = []) throws {
        self.path = path
        var configuration = Configuration()
        configuration.maximumReaderCount = 8
        configuration.prepareDatabase { database in try database.execute(sql: "PRAGMA mmap_size = 2147418112") }
        pool = try DatabasePool(path: path, configuration: configuration)
        // GRDB opens a pool with NORMAL, with which a commit is not durable.
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            guard try Int.fetchOne(database, sql: "PRAGMA synchronous") == 2 else {
                throw Failure("SQLite does not make commits durable")
            }
        }
        try pool.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS users (
                      id TEXT PRIMARY KEY NOT NULL, mailAddress TEXT, birthday TEXT\
                    \(!columns.isEmpty ? ", comparable TEXT, monthDay TEXT AS (substr(birthday, 6))" : "")
                    ) WITHOUT ROWID
                    """)
            for column in columns {
                try database.execute(sql: "CREATE INDEX IF NOT EXISTS by_\(column) ON users(\(column))")
            }
        }
    }

    func close() throws { try pool.close() }

    /// Moves the write-ahead log into the database file, as closing the database does.
    func checkpoint() throws { _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) } }

    // MARK: Reading

    private static let columns = "SELECT id, mailAddress, birthday FROM users"

    /// Reads a profile by its id in a separate transaction.
    func read(_ id: String) throws -> SQLiteProfile? {
        try pool.read { database in
            let statement = try database.cachedStatement(sql: "\(Self.columns) WHERE id = ?")
            return try SQLiteProfile.fetchOne(statement, arguments: [id])
        }
    }

    /// Returns all profiles in the order of their ids.
    func list() throws -> [SQLiteProfile] { try fetchAll("ORDER BY id") }

    /// Returns the profiles with a mail address, whose domain is given in lowercase.
    func list(comparable: String) throws -> [SQLiteProfile] {
        try fetchAll("WHERE comparable = ? ORDER BY id", [comparable])
    }

    /// Returns the profiles whose month and day is in a closed range and whose birthday is not after a date.
    func list(monthDays: (String, String), bornUntil last: String) throws -> [SQLiteProfile] {
        try fetchAll("WHERE monthDay BETWEEN ? AND ? AND birthday <= ?", [monthDays.0, monthDays.1, last])
    }

    /// Returns the first profiles in the order of birthdays.
    func firstByBirthday(_ limit: Int) throws -> [SQLiteProfile] {
        try fetchAll("ORDER BY birthday, id LIMIT ?", [limit])
    }

    /// Returns the profiles that a query selects. It requires the indexed columns.
    func list(_ query: Query<User>) throws -> [SQLiteProfile] {
        let translator = SQLiteTranslator()
        let condition = try query.filter?.translated(by: translator) ?? SQLitePredicate("1")
        let order = try query.sort.map { "\(try translator.column($0.field)) \($0.isDescending ? "DESC" : "ASC")" }
        let sql = "WHERE \(condition.sql) ORDER BY \((order + ["id"]).joined(separator: ", ")) LIMIT ?"
        return try fetchAll(sql, condition.arguments + [query.limit ?? -1])
    }

    /// Returns the number of profiles that meet a filter. It requires the indexed columns.
    func count(where filter: Filter<User>?) throws -> Int {
        let condition = try filter?.translated(by: SQLiteTranslator()) ?? SQLitePredicate("1")
        return try pool.read { database in
            try Int.fetchOne(
                database, sql: "SELECT count(*) FROM users WHERE \(condition.sql)", arguments: condition.arguments) ?? 0
        }
    }

    private func fetchAll(_ rest: String, _ arguments: StatementArguments = []) throws -> [SQLiteProfile] {
        try pool.read { database in
            try SQLiteProfile.fetchAll(
                database.cachedStatement(sql: "\(Self.columns) \(rest)"), arguments: arguments)
        }
    }

    // MARK: Writing

    /// Writes profiles in one transaction.
    func put(_ profiles: some Sequence<SQLiteProfile>) throws {
        try pool.write { database in
            let statement = try database.makeStatement(
                sql: "INSERT OR REPLACE INTO users (id, mailAddress, birthday) VALUES (?, ?, ?)")
            for profile in profiles {
                statement.setUncheckedArguments([profile.id, profile.mailAddress, profile.birthday])
                try statement.execute()
            }
        }
    }

    /// Writes profiles and, if there are indexes, their indexed columns, a fixed number in each transaction.
    func put(
        _ profiles: some Sequence<(profile: SQLiteProfile, comparable: String)>, perTransaction count: Int = .max
    ) throws {
        var rest = Array(profiles)[...]
        while !rest.isEmpty {
            let part = rest.prefix(count)
            rest = rest.dropFirst(part.count)
            try pool.write { database in
                let statement = try database.cachedStatement(
                    sql: "INSERT OR REPLACE INTO users (id, mailAddress, birthday, comparable) VALUES (?, ?, ?, ?)")
                for (profile, comparable) in part {
                    // A missing address has no comparable form.
                    statement.setUncheckedArguments(
                        [profile.id, profile.mailAddress, profile.birthday, comparable.isEmpty ? nil : comparable])
                    try statement.execute()
                }
            }
        }
    }

    /// Saves a mail address durably and blocks the thread.
    func save(_ mailAddress: String, of id: String) throws {
        try pool.write { database in try Self.save(mailAddress, of: id, database) }
    }

    /// Saves a mail address durably without blocking the thread.
    func saveFromTask(_ mailAddress: String, of id: String) async throws {
        try await pool.write { database in try Self.save(mailAddress, of: id, database) }
    }

    private static func save(_ mailAddress: String, of id: String, _ database: Database) throws {
        let statement = try database.cachedStatement(sql: "UPDATE users SET mailAddress = ? WHERE id = ?")
        statement.setUncheckedArguments([mailAddress, id])
        try statement.execute()
        guard database.changesCount == 1 else { throw Failure("\(id) is missing") }
    }
}
