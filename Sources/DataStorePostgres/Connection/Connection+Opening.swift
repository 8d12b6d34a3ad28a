import CDataStorePostgres
import DataStoreCore
import DataStoreFiles

extension Connection {
    /// The purpose of a connection.
    enum Purpose {
        case reading, writing
    }

    /// The oldest supported version of a server, in the form of `PQserverVersion`.
    private static let minimumVersion: Int32 = 15_00_00

    /// Connects to a server, and configures the session.
    ///
    /// - Throws: `DataStoreError` in one of these cases:
    ///   - The server cannot be reached, or rejects the user.
    ///   - The server is read-only, is older than PostgreSQL 15, or does not support serializable transactions.
    ///   - The schema contains tables but not those of a store, or it contains a store with a newer format.
    static func open(
        _ target: ConnectionTarget, for purpose: Purpose, _ options: PostgresDataStore.Options
    ) throws(DataStoreError) -> Connection {
        try StandardStreams.reserve()
        let seconds = max(1, (options.connectTimeout.milliseconds + 999) / 1000)
        // The URI overrides the settings before it, and the settings after it override the URI.
        let settings = [
            ("target_session_attrs", "read-write"), ("fallback_application_name", "UserProfile"),
            // libpq detects the loss of the server's machine soon enough to continue within ten seconds of a failover.
            ("tcp_user_timeout", "6000"), ("keepalives_idle", "3"), ("keepalives_interval", "1"),
            ("keepalives_count", "4"), ("dbname", target.uri),
            ("connect_timeout", "\(seconds)"), ("client_encoding", "UTF8"),
        ]
        let raw = unsafe connect(settings)
        guard let raw = unsafe raw else { throw DataStoreError(.full, "no memory is left for a connection") }
        guard unsafe PQstatus(raw) == CONNECTION_OK else {
            defer { unsafe PQfinish(raw) }
            throw unsafe refusal(raw)
        }
        let version = unsafe PQserverVersion(raw)
        guard version >= minimumVersion else {
            unsafe PQfinish(raw)
            throw DataStoreError(
                .notAStore, "the server is PostgreSQL \(version / 10_000); use PostgreSQL 15 or newer")
        }
        do {
            let connection = try unsafe Connection(
                raw, schema: target.schema, answerTimeout: options.answerTimeout, settings: sql(purpose, options))
            let isolation = try connection.describe(target.schema)
            guard isolation == "serializable" else { throw unsupported("isolation level \(isolation)") }
            return connection
        } catch let error as PostgresError {
            // With this SQLSTATE, a server rejects an isolation level that it does not support.
            throw error.sqlState == "0A000" ? unsupported(error.message) : error.mapped()
        } catch let error as DataStoreError {
            throw error
        } catch {
            throw DataStoreError(.inputOutput, "\(error)", underlying: error)
        }
    }

    private static func unsupported(_ reason: String) -> DataStoreError {
        DataStoreError(
            .notAStore,
            "the server cannot guarantee serializable writes (\(reason)); use a primary server with PostgreSQL 15 or "
                + "newer")
    }

    /// Connects and waits until the connection is established or refused. libpq limits the time for each host.
    private static func connect(_ settings: [(String, String)]) -> OpaquePointer? {
        // libpq copies the strings, which are freed after the call.
        let keys = unsafe settings.map { unsafe $0.0.duplicated() }
        let values = unsafe settings.map { unsafe $0.1.duplicated() }
        defer { unsafe (keys + values).forEach { unsafe $0.deallocate() } }
        let keyList = unsafe keys.map { unsafe UnsafePointer<CChar>?($0) } + [nil]
        let valueList = unsafe values.map { unsafe UnsafePointer<CChar>?($0) } + [nil]
        return unsafe PQconnectdbParams(keyList, valueList, 1)
    }

    /// Returns the error for a refused connection. libpq reports only a message, without an error code, so the function
    /// recognizes the cause by the text.
    private static func refusal(_ raw: OpaquePointer) -> DataStoreError {
        let message = unsafe PQerrorMessage(raw).map { unsafe String(cString: $0) } ?? ""
        // libpq indents continued lines with tabs.
        let lines = message.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }
        let text = lines.joined(separator: "; ").escapingControlCharacters
        func error(_ code: DataStoreError.Code, _ remedy: String, isTransient: Bool = false) -> DataStoreError {
            let cause = PostgresError(text, isConnectionLost: isTransient)
            return DataStoreError(code, "\(remedy): \(text)", underlying: cause)
        }
        if message.contains("session is read-only") || message.contains("hot standby mode") {
            return error(.readOnly, "the server is read-only; connect to the primary server", isTransient: true)
        }
        let limits = ["too many clients", "too many connections", "connection slots are reserved"]
        if limits.contains(where: message.contains) {
            return error(
                .full, "the server has too many connections; retry or raise its limit", isTransient: true)
        }
        let isPasswordNeeded = unsafe PQconnectionNeedsPassword(raw) == 1
        if isPasswordNeeded || message.contains("authentication failed") || message.contains("no password supplied") {
            return error(.inputOutput, "the server rejects the user; check the password file (PGPASSFILE)")
        }
        if message.contains("no pg_hba.conf entry") || message.contains("is not permitted to log in") {
            return error(.inputOutput, "the server does not admit the user; check its pg_hba.conf")
        }
        if message.contains("database"), message.contains("does not exist") {
            return error(.notAStore, "the database does not exist; create it")
        }
        if message.contains("role"), message.contains("does not exist") {
            return error(.inputOutput, "the user does not exist; create it")
        }
        return error(
            .inputOutput, "the server cannot be reached; check the address and the server", isTransient: true)
    }

    /// The statements that configure a session.
    private static func sql(_ purpose: Purpose, _ options: PostgresDataStore.Options) -> String {
        let limit = options.statementTimeout.milliseconds
        // The server reports the timeout that ends first. After a lock timeout, the store tries again.
        let lockLimit = max(1, min(limit, options.timeout.milliseconds) / 2)
        let settings = [
            "client_min_messages = error", "standard_conforming_strings = on", "jit = off",
            // The tables are read through their indexes, with cached plans.
            "enable_seqscan = off", "enable_bitmapscan = off", "plan_cache_mode = force_generic_plan",
            "statement_timeout = \(limit)", "lock_timeout = \(lockLimit)",
            "idle_in_transaction_session_timeout = \(max(60_000, limit))",
            // The server notices the loss of a client.
            "tcp_keepalives_idle = 10", "tcp_keepalives_interval = 5", "tcp_keepalives_count = 3",
            "default_transaction_isolation = '\(purpose.isolation)'",
            "default_transaction_deferrable = off",
        ]
        let all = settings + (purpose == .reading ? ["default_transaction_read_only = on"] : [])
        // A commit that the server has confirmed must be durable, even if the server's default does not ensure this.
        let durability = """
            SELECT set_config('synchronous_commit', 'on', false)
            WHERE current_setting('synchronous_commit') IN ('off', 'local')
            """
        return all.map { "SET \($0); " }.joined() + durability
    }

    /// Looks up the tables of the store, and sets ``format``.
    ///
    /// - Returns: The isolation level that the server uses for a serializable transaction.
    /// - Throws: `PostgresError` if a statement fails. `DataStoreError` if the schema contains other tables, if a table
    ///   or a primary key of the store is missing, or if this program cannot read the format of the store.
    @discardableResult
    func describe(_ schema: String) throws -> String {
        try send(.begin)
        try send(.description, Parameters(Array(schema.utf8)))
        try send(.rollback)
        try sync()
        _ = try result()
        let found = try result()
        _ = try result()
        let isolation = String(decoding: found.bytes(0, 3), as: UTF8.self)
        format = nil
        guard found.integer(0, 0) > 0 else { return isolation }
        let names = String(decoding: found.bytes(0, 1), as: UTF8.self).split(separator: ",")
        let missing = ["kv", "meta", "writers"].filter { !names.contains(Substring($0)) }
        guard missing.isEmpty else {
            // A single table with one of the names may belong to another program.
            if missing.count == 1 { throw DataStoreError.damaged("the table \(missing[0]) is missing") }
            throw DataStoreError(.notAStore, "the schema contains other tables; choose another schema")
        }
        guard found.integer(0, 2) == 2 else {
            throw DataStoreError.damaged("the table kv or writers has no primary key")
        }
        let formats = try execute(.format)
        guard formats.count == 1 else {
            throw DataStoreError.damaged("the table meta does not have exactly one row")
        }
        let version = formats.integer(0, 0)
        guard version >= 1 else { throw DataStoreError.damaged("the format version is invalid") }
        guard version <= StoreFormat.migratedVersion else {
            throw DataStoreError.newerFormat(version, than: StoreFormat.migratedVersion)
        }
        format = version
        return isolation
    }
}

extension Connection.Purpose {
    fileprivate var isolation: String {
        switch self {
        case .reading: "repeatable read"
        case .writing: "serializable"
        }
    }
}

extension String {
    /// Returns a copy of the text as a C string, which the caller frees.
    fileprivate func duplicated() -> UnsafeMutablePointer<CChar> {
        let bytes = utf8CString
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        for (index, byte) in bytes.enumerated() { unsafe (copy + index).initialize(to: byte) }
        return unsafe copy
    }
}
