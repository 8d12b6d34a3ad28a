import CDataStorePostgres
import DataStoreSystem

extension Connection {
    /// The oldest supported version of a server, in the form of `PQserverVersion`.
    private static let minimumVersion: Int32 = 15_00_00

    /// Connects to a server, and configures the session.
    ///
    /// - Throws: `DataStoreError` in one of these cases:
    ///   - The server cannot be reached, or rejects the user.
    ///   - The server is a standby, is older than PostgreSQL 15, or does not support serializable transactions.
    ///   - The schema contains tables but not those of a store, or it contains a store with a newer format.
    ///   - The server has not answered when the deadline passes.
    static func open(
        _ target: ConnectionTarget, _ options: PostgresDataStore.Options, until deadline: ContinuousClock.Instant
    ) throws(DataStoreError) -> Connection {
        try reserveStandardStreams()
        let raw = try unsafe connect(to: target, hostTimeout: options.connectTimeout, until: deadline)
        let version = unsafe PQserverVersion(raw)
        guard version >= minimumVersion else {
            unsafe PQfinish(raw)
            throw DataStoreError(.notAStore, "the server is PostgreSQL \(version / 10_000); use PostgreSQL 15 or newer")
        }
        do throws(DataStoreError) {
            let connection = try unsafe Connection(raw, schema: target.schema, deadline: deadline)
            let isolation = try connection.describe(target.schema)
            guard isolation == "serializable" else { throw unsupported("isolation level \(isolation)") }
            // A session that the store cannot use keeps its settings.
            try connection.executeInTransaction(settings(options))
            return connection
        } catch {
            // With this SQLSTATE, a server rejects an isolation level that it does not support.
            guard let failure = error.server, failure.sqlState == "0A000" else { throw error }
            throw unsupported(failure.message)
        }
    }

    private static func unsupported(_ reason: String) -> DataStoreError {
        DataStoreError(
            .notAStore,
            "the server cannot guarantee serializable writes (\(reason)); use a primary server with PostgreSQL 15 or "
                + "newer")
    }

    /// The statements that configure a session.
    private static func settings(_ options: PostgresDataStore.Options) -> [String] {
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
            "default_transaction_isolation = 'repeatable read'",
            "default_transaction_deferrable = off",
        ]
        // A commit that the server has confirmed must be durable, even if the server's default does not ensure this.
        let durability = """
            SELECT set_config('synchronous_commit', 'on', false)
            WHERE current_setting('synchronous_commit') IN ('off', 'local')
            """
        return settings.map { "SET \($0)" } + [durability]
    }

    /// Looks up the tables of the store, and sets ``format``.
    ///
    /// - Returns: The isolation level that the server uses for a serializable transaction.
    /// - Throws: `DataStoreError` if a statement fails, if the schema contains other tables, if a table or a primary
    ///   key of the store is missing, or if this program cannot read the format of the store.
    @discardableResult
    func describe(_ schema: String) throws(DataStoreError) -> String {
        try send(.begin)
        try send(.description, [Array(schema.utf8)])
        try send(.rollback)
        try sync()
        _ = try result()
        let found = try result()
        _ = try result()
        guard found.integer(0, 4) == 1 else {
            throw PostgresError(
                sqlState: PostgresError.preparedTwice, "the prepared statements have other names",
                isConnectionLost: false
            ).mapped()
        }
        let isolation = String(decoding: found.bytes(0, 3), as: UTF8.self)
        format = nil
        guard found.integer(0, 0) > 0 else { return isolation }
        let names = String(decoding: found.bytes(0, 1), as: UTF8.self).split(separator: ",")
        let missing = ["kv", "meta", "writers"].filter { !names.contains(Substring($0)) }
        guard missing.isEmpty else {
            // A single table with one of the names may belong to another program.
            if missing.count == 1 { throw .damaged("the table \(missing[0]) is missing") }
            throw DataStoreError(.notAStore, "the schema contains other tables; choose another schema")
        }
        guard found.integer(0, 2) == 2 else { throw .damaged("the table kv or writers has no primary key") }
        let formats = try execute(.format)
        guard formats.count == 1 else { throw .damaged("the table meta does not have exactly one row") }
        let version = formats.integer(0, 0)
        try DataStoreError.checkFormat(version, known: Connection.formatVersion)
        format = version
        return isolation
    }

    /// The only format version that this program reads and writes.
    private static let formatVersion: Int64 = 3

    /// Returns the statements that create the missing tables of a store.
    ///
    /// Execute the statements in one transaction. The first statement acquires a lock, so that only one program at a
    /// time creates the store.
    static func creation(of schema: String) -> [String] {
        let name = Statement.identifier(schema)
        let literal = Statement.literal(schema)
        let schemaCreation = """
            BEGIN
                IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = \(literal)) THEN
                    CREATE SCHEMA \(name);
                END IF;
            END
            """
        return [
            "SELECT pg_advisory_xact_lock(hashtext('UserProfile'), hashtext(\(literal)))",
            // The name of the schema may contain `$$`, so the block is in single quotes.
            "DO \(Statement.literal(schemaCreation))",
            "CREATE TABLE IF NOT EXISTS \(name).kv (k bytea PRIMARY KEY, v bytea NOT NULL) WITH (fillfactor = 90)",
            "CREATE TABLE IF NOT EXISTS \(name).meta (format int NOT NULL)",
            "INSERT INTO \(name).meta SELECT \(formatVersion) WHERE NOT EXISTS (SELECT FROM \(name).meta)",
            // Many versions of a row fit into its page, so that an update does not change the index.
            """
            CREATE TABLE IF NOT EXISTS \(name).writers (
                slot int PRIMARY KEY, generation bigint NOT NULL DEFAULT 0,
                used timestamptz NOT NULL DEFAULT '-infinity', tokens bytea NOT NULL DEFAULT ''
            ) WITH (fillfactor = 10)
            """,
            """
            INSERT INTO \(name).writers (slot) SELECT generate_series(0, \(WriterSlot.count - 1)) ON CONFLICT DO NOTHING
            """,
        ]
    }
}
