import CDataStorePostgres

/// The statements of a store. A connection prepares each of them when it is first used.
enum Statement: String {
    case begin, lock, commit, rollback
    case description, format
    case boundedCount, estimate
    case get, getAll, ascending, descending, ascendingKeys, descendingKeys
    case change, changeOne, put, remove
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
        case .boundedCount:
            """
            SELECT count(*)
            FROM (SELECT FROM \(Self.range(of: kv)) LIMIT \(ServerTransaction.maximumExactCount + 1)) s
            """
        // The number in the plan follows from the statistics of the server.
        case .estimate: "EXPLAIN (FORMAT JSON) SELECT FROM \(Self.range(of: kv))"
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
            // The inner query counts the rows before the change.
            """
            WITH removed AS (DELETE FROM \(kv) WHERE k = ANY ($1::bytea[]) RETURNING k)
            SELECT WHERE \(Self.ensure(
                "SELECT count(*) = (SELECT count(*) FROM \(kv) WHERE k = ANY ($1::bytea[])) FROM removed"))
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

    private static func range(of table: String) -> String { "\(table) WHERE k >= $1::bytea AND k < $2::bytea" }

    private static func page(_ columns: String, of table: String, _ order: String) -> String {
        """
        SELECT \(columns) FROM \(range(of: table)) ORDER BY k \(order)
        LIMIT $3::bigint OFFSET $4::bigint
        """
    }

    /// Returns a name as an identifier in double quotes.
    static func identifier(_ name: String) -> String { quoted(name, "\"") }

    /// Returns a text as a string literal in single quotes.
    static func literal(_ text: String) -> String { quoted(text, "'") }

    private static func quoted(_ text: String, _ quote: Unicode.Scalar) -> String {
        // A quote and a combining mark after it are one character.
        let scalars = text.unicodeScalars.flatMap { $0 == quote ? [quote, quote] : [$0] }
        return String(String.UnicodeScalarView([quote] + scalars + [quote]))
    }
}

/// The parameters of statements are arrays with their binary forms. A `bytea` and a text are their bytes.
extension [UInt8] {
    /// Returns the binary form of a `bigint`.
    static func bigint(_ number: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: Int64(number))
        return bytes
    }

    /// Returns the binary form of a `bytea[]`.
    static func array(_ elements: [[UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = []
        // One dimension, no NULL, the number of the type `bytea`, the number of elements, and the index of the first.
        let header = elements.isEmpty ? [0, 0, 17] : [1, 0, 17, elements.count, 1]
        for number in header { bytes.append(bigEndian: Int32(truncatingIfNeeded: number)) }
        for element in elements {
            bytes.append(bigEndian: Int32(truncatingIfNeeded: element.count))
            bytes += element
        }
        return bytes
    }

    fileprivate mutating func append(bigEndian number: some FixedWidthInteger) {
        unsafe Swift.withUnsafeBytes(of: number.bigEndian) { unsafe append(contentsOf: $0) }
    }
}

/// The rows that a statement returned, in binary form.
///
/// - Safety: `@safe` because the object owns the `PGresult` and frees it once, and passes spans of it only to closures.
@safe
final class QueryResult {
    private let raw: OpaquePointer

    /// The number of rows.
    let count: Int

    /// Takes ownership of a `PGresult`.
    init(_ raw: OpaquePointer) {
        unsafe self.raw = unsafe raw
        count = Int(unsafe PQntuples(raw))
    }

    deinit { unsafe PQclear(raw) }

    /// Passes the bytes of a column to a closure. The bytes of NULL are empty.
    ///
    /// - Precondition: The row and the column exist.
    @inline(__always)
    func with<Result, Failure: Error>(
        _ row: Int, _ column: Int32, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let length = Int(unsafe PQgetlength(raw, Int32(row), column))
        // libpq returns a pointer to `length` bytes, which stay valid until the result is freed.
        let start = unsafe UnsafeRawPointer(PQgetvalue(raw, Int32(row), column))?.assumingMemoryBound(to: UInt8.self)
        let bytes = unsafe UnsafeBufferPointer(start: start, count: unsafe start == nil ? 0 : length)
        return try body(unsafe bytes.span)
    }

    /// Returns the bytes of a column.
    func bytes(_ row: Int, _ column: Int32) -> [UInt8] { with(row, column) { [UInt8]($0) } }

    /// Returns the value of a column that is a `bigint`.
    func integer(_ row: Int, _ column: Int32) -> Int64 {
        with(row, column) { bytes in
            var value: UInt64 = 0
            for index in bytes.indices { value = value << 8 | UInt64(bytes[index]) }
            return Int64(bitPattern: value)
        }
    }

    /// The kind of the result.
    var status: ExecStatusType { unsafe PQresultStatus(raw) }

    /// The command tag of the executed statement, e.g. `COMMIT`.
    var tag: String { unsafe String(libpq: PQcmdStatus(raw)) }

    /// Returns the field of the server's error that the protocol identifies by the given letter, or an empty string if
    /// the error has no such field.
    func field(_ code: Unicode.Scalar) -> String { unsafe String(libpq: PQresultErrorField(raw, Int32(code.value))) }

    /// The number of bytes of all columns of all rows.
    var byteCount: Int {
        let columns = 0..<(unsafe PQnfields(raw))
        return (0..<Int32(count)).reduce(0) { sum, row in
            columns.reduce(sum) { $0 + Int(unsafe PQgetlength(raw, row, $1)) }
        }
    }
}
