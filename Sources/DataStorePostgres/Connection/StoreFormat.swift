/// The format versions of a store, and the statements that create its tables.
enum StoreFormat {
    /// The format version of a new store.
    static let version: Int64 = 1
    /// The format version of a store in which a breaking migration has run. It is also the highest version that this
    /// program can read.
    static let migratedVersion: Int64 = 2

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
            "INSERT INTO \(name).meta SELECT \(version) WHERE NOT EXISTS (SELECT FROM \(name).meta)",
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
