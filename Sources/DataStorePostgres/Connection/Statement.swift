/// The statements of a store. A connection prepares each of them when it is first used.
enum Statement: String {
    case begin, lock, commit, rollback
    case description, format
    case get, getAll, ascending, descending, ascendingKeys, descendingKeys
    case change, changeOne, put, remove, raiseFormat
    case claim, addSlot, fence
    case generation

    /// Returns the text of the statement.
    ///
    /// The statements find records only through the index of the keys. A sequential scan in a serializable transaction
    /// would conflict with every concurrent write.
    func text(_ schema: String) -> String {
        let (kv, meta, writers) = ("\(schema).kv", "\(schema).meta", "\(schema).writers")
        return switch self {
        case .begin: "BEGIN ISOLATION LEVEL SERIALIZABLE"
        // Reads continue, and other writers wait when they send their changes.
        case .lock: "LOCK TABLE \(kv) IN SHARE ROW EXCLUSIVE MODE"
        case .commit: "COMMIT"
        case .rollback: "ROLLBACK"
        case .description:
            """
            SELECT count(c.oid),
                string_agg(c.relname::text, ',') FILTER (
                    WHERE c.relname IN ('kv', 'meta', 'writers') AND c.relkind = 'r'),
                count(*) FILTER (
                    WHERE c.relname IN ('kv', 'writers')
                    AND EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary AND i.indisvalid)),
                current_setting('transaction_isolation'),
                (SELECT count(*) FROM pg_prepared_statements WHERE name = 'description')
            FROM pg_namespace n LEFT JOIN pg_class c ON c.relnamespace = n.oid WHERE n.nspname = $1::text
            """
        case .format: "SELECT format::bigint FROM \(meta)"
        case .get: "SELECT v FROM \(kv) WHERE k = $1::bytea"
        case .getAll: "SELECT k, v FROM \(kv) WHERE k = ANY ($1::bytea[])"
        case .ascending: Self.page("k, v", of: kv, "ASC")
        case .descending: Self.page("k, v", of: kv, "DESC")
        case .ascendingKeys: Self.page("k", of: kv, "ASC")
        case .descendingKeys: Self.page("k", of: kv, "DESC")
        case .change: Self.change(kv, writers, Self.entries, Self.areEntriesStored)
        case .changeOne:
            Self.change(
                kv, writers, "VALUES ($1::bytea, $2::bytea)", "SELECT k = $1::bytea AND v = $2::bytea FROM changed")
        case .put: "WITH changed AS (\(Self.put(kv, Self.entries))) SELECT WHERE \(Self.ensure(Self.areEntriesStored))"
        case .remove:
            """
            WITH removed AS (DELETE FROM \(kv) WHERE k = ANY ($1::bytea[]) RETURNING k)
            SELECT WHERE \(Self.ensure("SELECT count(*) = (\(Self.countOfKeys(kv))) FROM removed"))
            """
        case .raiseFormat:
            """
            WITH raised AS (UPDATE \(meta) SET format = $1::bigint WHERE format < $1::bigint RETURNING format)
            SELECT WHERE \(Self.ensure("SELECT max(format) >= $1 FROM (TABLE raised UNION ALL TABLE \(meta)) f"))
            """
        case .claim:
            // `pg_try_advisory_lock` is volatile, so the server calls it row by row, until it acquires the first lock.
            """
            SELECT slot::bigint, tokens
            FROM (SELECT slot, tokens FROM \(writers) ORDER BY slot = $1::bigint DESC, used, slot OFFSET 0) s
            WHERE pg_try_advisory_lock((\(Self.literal(writers))::regclass::bigint - 2147483648)::int, slot) LIMIT 1
            """
        case .addSlot:
            "INSERT INTO \(writers) (slot) SELECT coalesce(max(slot) + 1, 0) FROM \(writers) ON CONFLICT DO NOTHING"
        case .fence: "UPDATE \(writers) SET used = now() WHERE slot = $1::bigint RETURNING tokens"
        case .generation: "SELECT sum(generation)::bigint FROM \(writers)"
        }
    }

    /// Counts the rows before the change.
    private static func countOfKeys(_ table: String) -> String {
        "SELECT count(*) FROM \(table) WHERE k = ANY ($1::bytea[])"
    }

    private static let entries = "SELECT * FROM unnest($1::bytea[], $2::bytea[])"

    /// The server returns the rows in the order of the entries.
    private static let areEntriesStored = """
        SELECT coalesce(array_agg(k), '{}') = $1::bytea[] AND coalesce(array_agg(v), '{}') = $2::bytea[] FROM changed
        """

    /// All parts of the statement see the same snapshot, so the records are returned as they were before the change.
    private static func change(
        _ table: String, _ writers: String, _ entries: String, _ areEntriesStored: String
    ) -> String {
        let isSlotStored = "SELECT substring(tokens FOR \(WriterSlot.tokenByteCount)) = $5::bytea FROM advanced"
        return """
            WITH changed AS (\(put(table, entries))), advanced AS (
                UPDATE \(writers) SET generation = generation + 1, used = now(),
                    tokens = substring($5::bytea || tokens FOR \(WriterSlot.tokenByteCount * WriterSlot.tokenCount))
                WHERE slot = $4::bigint RETURNING tokens
            )
            SELECT k, v FROM \(table)
            WHERE k = ANY ($3::bytea[]) AND \(ensure("SELECT (\(areEntriesStored)) AND (\(isSlotStored))"))
            """
    }

    private static func put(_ table: String, _ entries: String) -> String {
        "INSERT INTO \(table) (k, v) \(entries) ON CONFLICT (k) DO UPDATE SET v = EXCLUDED.v RETURNING k, v"
    }

    /// Returns a condition that fails with the SQLSTATE ``PostgresError/unequalChange`` unless a query returns true.
    ///
    /// A trigger can drop or alter a row, and the statement still succeeds. The server compares the rows, because the
    /// commit may already be on its way.
    private static func ensure(_ query: String) -> String { "1 / ((\(query)) IS TRUE)::int = 1" }

    private static func page(_ columns: String, of table: String, _ order: String) -> String {
        """
        SELECT \(columns) FROM \(table) WHERE k >= $1::bytea AND k < $2::bytea ORDER BY k \(order)
        LIMIT $3::bigint OFFSET $4::bigint
        """
    }

    /// Returns a name as an identifier in double quotes.
    static func identifier(_ name: String) -> String { quoted(name, "\"") }

    /// Returns a text as a string literal in single quotes.
    static func literal(_ text: String) -> String { quoted(text, "'") }

    private static func quoted(_ text: String, _ quote: Character) -> String {
        let parts = text.split(separator: quote, omittingEmptySubsequences: false)
        return "\(quote)\(parts.joined(separator: "\(quote)\(quote)"))\(quote)"
    }
}
