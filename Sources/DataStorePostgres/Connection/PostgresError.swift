/// A failure of the server, or of the connection to it. It is the cause of the ``DataStoreError`` that ``mapped()``
/// returns.
struct PostgresError: Error, CustomStringConvertible {
    /// The SQLSTATE, or an empty string if libpq reports the failure.
    let sqlState: String
    /// The message without details, because details may contain keys or values.
    let message: String
    /// Whether the connection cannot be used any more.
    let isConnectionLost: Bool

    init(sqlState: String = "", _ message: String, isConnectionLost: Bool) {
        self.sqlState = sqlState
        self.message = message
        self.isConnectionLost = isConnectionLost
    }

    /// Returns the error for a connection that cannot be used any more.
    static func lost(_ message: String) -> DataStoreError { PostgresError(message, isConnectionLost: true).mapped() }

    /// The message of the server with its SQLSTATE.
    var description: String {
        let text = message.escapingControlCharacters
        return sqlState.isEmpty ? text : "\(text) (SQLSTATE \(sqlState))"
    }

    /// Whether the transaction failed because of a concurrent transaction and can run again. The cause is a
    /// serialization failure or a deadlock.
    var isConflict: Bool { sqlState == "40001" || sqlState == "40P01" }

    /// Whether another attempt with a new connection may succeed, e.g. after a failover.
    var isTransient: Bool { isConnectionLost || sqlState == Self.readOnly }

    /// Whether the same transaction may succeed later.
    var isTemporary: Bool { isConflict || isTransient || sqlState == Self.lockTimeout }

    /// The SQLSTATE of a lock that was not acquired in time.
    static let lockTimeout = "55P03"

    /// The SQLSTATE of a write in a read-only transaction, e.g. on a standby server.
    static let readOnly = "25006"

    /// The SQLSTATE of a wrong or missing password.
    static let wrongPassword = "28P01"

    /// The SQLSTATE of a prepared statement whose name is in use. A pooler in transaction mode causes it, because
    /// several programs use a session alternately.
    static let preparedTwice = "42P05"

    /// The SQLSTATE of a division by zero, which only the conditions of `Statement` cause: the server has not stored
    /// the changes as they were sent.
    static let unequalChange = "22012"

    /// Returns the `DataStoreError` for the failure.
    func mapped() -> DataStoreError {
        let (code, reason): (DataStoreError.Code, String) =
            switch sqlState {
            case "40001", "40P01": (.busy, "other programs write the same records; retry")
            case Self.lockTimeout: (.busy, "another program holds a lock; retry")
            case "57014": (.busy, "the server took too long; retry or raise the time limit")
            case "53100": (.full, "the disk of the server is full; make room and retry")
            case "53200", "53400", "54000": (.full, "the server is out of resources; retry with less data")
            case "53300": (.full, "the server has too many connections; retry or raise its limit")
            case Self.readOnly: (.readOnly, "the server is read-only; connect to the primary server")
            case Self.wrongPassword:
                (.unavailable, "the server rejects the user; check the password file (PGPASSFILE)")
            case "28000":
                (.unavailable, "the server does not admit the user; check that it exists, and the server's pg_hba.conf")
            case "3D000": (.notAStore, "the database does not exist; create it")
            case Self.preparedTwice, "26000":
                (
                    .notAStore,
                    "a connection pooler (PgBouncer) in transaction mode is not supported; use its session mode, or "
                        + "connect to the server"
                )
            case "57P03": (.unavailable, "the server is starting or stopping; retry")
            case "42501": (.readOnly, "permission denied; grant the user the missing privilege")
            case "42P01", "3F000": (.notAStore, "the tables of the store are missing; close and reopen the store")
            case "42703", "42804": (.notAStore, "not a store (its tables have other columns); choose another schema")
            case Self.unequalChange:
                (.inputOutput, "the server does not store what it is sent; remove the triggers from the store's tables")
            case "42P10": (.corrupted, "a table of the store has no primary key; restore a backup")
            case "XX001", "XX002": (.corrupted, "the database is damaged; restore a backup")
            default:
                isConnectionLost
                    ? (.unavailable, "no connection to the server; check the address and the server, and retry")
                    : (.inputOutput, "the server reports an error; see its log")
            }
        return DataStoreError(code, "\(reason): \(self)", underlying: self)
    }
}

extension DataStoreError {
    /// The failure of the server because of which nothing was changed, or `nil` if the error has another cause.
    var server: PostgresError? { code == .outcomeUnknown ? nil : underlying as? PostgresError }
}

extension String {
    /// Copies a text of libpq. The text is empty if there is none.
    init(libpq text: UnsafePointer<CChar>?) { self = unsafe text.map { unsafe String(cString: $0) } ?? "" }

    /// The first line of the text. Messages of libpq end with a line feed, and further lines contain details.
    var firstLine: String { String(prefix { !$0.isNewline }) }
}
