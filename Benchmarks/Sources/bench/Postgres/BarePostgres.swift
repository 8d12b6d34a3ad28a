import CPostgres

/// A connection to a PostgreSQL server that is used by direct calls of libpq, as in a C program. Each thread needs its
/// own connection.
///
/// The table has the same columns and the same rows as the table of the store.
final class BarePostgres: @unchecked Sendable {
    private let connection: OpaquePointer
    private let table: String

    /// Connects to a server.
    ///
    /// - Parameters:
    ///   - uri: The URI of the server.
    ///   - schema: The schema of the table `kv`, which is created if it does not exist.
    /// - Throws: ``Failure`` if the server cannot be used.
    init(uri: String, schema: String) throws {
        guard let connection = PQconnectdb(uri) else { throw Failure("libpq made no connection") }
        self.connection = connection
        table = "\(schema).kv"
        guard PQstatus(connection) == CONNECTION_OK else { throw failure }
        try run("SET client_min_messages = warning")
        // Like the store, the peer plans each statement once, so that it reads the table through its index.
        try run("SET plan_cache_mode = force_generic_plan")
        try run("SET enable_seqscan = off")
        try run("SET enable_bitmapscan = off")
        try run("CREATE SCHEMA IF NOT EXISTS \(schema)")
        try run("CREATE TABLE IF NOT EXISTS \(table) (k bytea PRIMARY KEY, v bytea NOT NULL)")
        let writers = "\(schema).writers"
        try run(
            "CREATE TABLE IF NOT EXISTS \(writers) (slot int PRIMARY KEY, generation bigint, tokens bytea) "
                + "WITH (fillfactor = 10)")
        try run("INSERT INTO \(writers) VALUES (0, 0, '') ON CONFLICT DO NOTHING")
        let conflict = "ON CONFLICT (k) DO UPDATE SET v = excluded.v"
        try prepare("select", "SELECT v FROM \(table) WHERE k = $1")
        try prepare("put", "INSERT INTO \(table) VALUES ($1, $2) \(conflict)")
        let putAll = "INSERT INTO \(table) SELECT * FROM unnest($1::bytea[], $2::bytea[]) \(conflict)"
        try prepare("put all", putAll)
        try prepare(
            "put all and count",
            """
            WITH changed AS (\(putAll)), counted AS (
                UPDATE \(writers) SET generation = generation + 1, tokens = substring($3::bytea || tokens FOR 128)
                WHERE slot = 0
            )
            SELECT k, v FROM \(table) WHERE k = ANY ($1::bytea[])
            """)
    }

    deinit { PQfinish(connection) }

    private var failure: Failure { Failure("libpq: \(String(cString: PQerrorMessage(connection)))") }

    // MARK: Statements

    /// Runs SQL without parameters.
    func run(_ sql: String) throws {
        let result = PQexec(connection, sql)
        defer { PQclear(result) }
        guard [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result)) else { throw failure }
    }

    /// Runs SQL and returns the number in its only row and column.
    func number(_ sql: String) throws -> Int {
        let result = PQexec(connection, sql)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_TUPLES_OK, PQntuples(result) == 1,
            let number = Int(String(cString: PQgetvalue(result, 0, 0)))
        else { throw failure }
        return number
    }

    private func prepare(_ name: String, _ sql: String) throws {
        let result = PQprepare(connection, name, sql, 0, nil)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw failure }
    }

    /// Runs a prepared statement with binary parameters. The caller must clear the result.
    private func run(_ name: String, _ parameters: [UInt8]...) -> OpaquePointer? {
        let bytes = Array(parameters.joined())
        let lengths = parameters.map { Int32($0.count) }
        let formats = [Int32](repeating: 1, count: parameters.count)
        return bytes.withUnsafeBufferPointer { buffer in
            // The addresses are those of `bytes`, and are used only during this call.
            var next = UnsafeRawPointer(buffer.baseAddress)
            let values = lengths.map { length -> UnsafePointer<CChar>? in
                defer { next = next.map { $0 + Int(length) } }
                return next?.assumingMemoryBound(to: CChar.self)
            }
            return PQexecPrepared(connection, name, Int32(parameters.count), values, lengths, formats, 1)
        }
    }

    // MARK: Records

    /// Passes the value of a key to `body`.
    func read(_ key: [UInt8], _ body: (UnsafeRawBufferPointer) -> Void) throws {
        let result = run("select", key)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_TUPLES_OK, PQntuples(result) == 1 else { throw failure }
        body(UnsafeRawBufferPointer(start: PQgetvalue(result, 0, 0), count: Int(PQgetlength(result, 0, 0))))
    }

    /// Writes an entry in a serializable transaction: three statements, each with its own answer.
    func put(_ entry: EncodedEntry) throws {
        try run("BEGIN ISOLATION LEVEL SERIALIZABLE")
        try put("put", entry.key, entry.value)
        try run("COMMIT")
    }

    /// Writes an entry by one statement, which is a transaction of its own.
    func putAlone(_ entry: EncodedEntry) throws { try put("put", entry.key, entry.value) }

    /// Writes entries, a fixed number in each serializable transaction.
    func put(_ entries: [EncodedEntry], perTransaction count: Int) throws {
        try forEachTransaction(of: entries, count) { keys, values in try put("put all", keys, values) }
    }

    /// Writes entries like ``put(_:perTransaction:)``, and does the additional work of the store: it fetches the
    /// replaced values, increments a generation, and stores a random token that shows whether the commit succeeded.
    func putAndCount(_ entries: [EncodedEntry], perTransaction count: Int) throws {
        try forEachTransaction(of: entries, count) { keys, values in
            let token = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
            let found = run("put all and count", keys, values, token)
            defer { PQclear(found) }
            guard PQresultStatus(found) == PGRES_TUPLES_OK else { throw failure }
        }
    }

    /// Divides entries into groups of at most `count`, and calls `body` in a serializable transaction for each group,
    /// with its keys and values as binary arrays.
    private func forEachTransaction(
        of entries: [EncodedEntry], _ count: Int, _ body: (_ keys: [UInt8], _ values: [UInt8]) throws -> Void
    ) throws {
        var rest = entries[...]
        while !rest.isEmpty {
            let batch = rest.prefix(count)
            rest = rest.dropFirst(count)
            try run("BEGIN ISOLATION LEVEL SERIALIZABLE")
            try body(Self.array(batch.map(\.key)), Self.array(batch.map(\.value)))
            try run("COMMIT")
        }
    }

    private func put(_ name: String, _ first: [UInt8], _ second: [UInt8]) throws {
        let result = run(name, first, second)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw failure }
    }

    /// Returns the binary form of a `bytea[]`.
    private static func array(_ elements: [[UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = []
        func append(_ number: Int) { withUnsafeBytes(of: Int32(number).bigEndian) { bytes.append(contentsOf: $0) } }
        // One dimension, without NULL, of the type with the OID 17, with a lower bound of 1.
        for number in [1, 0, 17, elements.count, 1] { append(number) }
        for element in elements {
            append(element.count)
            bytes.append(contentsOf: element)
        }
        return bytes
    }

    /// Copies all rows out of the table in the order of their keys, and passes each one to `body`.
    func copy(_ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void) throws {
        let result = PQexec(connection, "COPY (SELECT k, v FROM \(table) ORDER BY k) TO STDOUT (FORMAT binary)")
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_COPY_OUT else { throw failure }
        // The first row follows a head.
        var headCount = 19
        while true {
            var buffer: UnsafeMutablePointer<CChar>?
            let count = PQgetCopyData(connection, &buffer, 0)
            guard count > 0 else { break }
            defer { PQfreemem(buffer) }
            let row = UnsafeRawBufferPointer(
                rebasing: UnsafeRawBufferPointer(start: buffer, count: Int(count))[headCount...])
            headCount = 0
            // The last row has -1 columns.
            guard row.count > 2 else { continue }
            let keyCount = Int(Int32(bigEndian: row.loadUnaligned(fromByteOffset: 2, as: Int32.self)))
            try body(
                UnsafeRawBufferPointer(rebasing: row[6..<6 + keyCount]),
                UnsafeRawBufferPointer(rebasing: row[(10 + keyCount)...]))
        }
        let end = PQgetResult(connection)
        defer { PQclear(end) }
        guard PQresultStatus(end) == PGRES_COMMAND_OK else { throw failure }
        while let more = PQgetResult(connection) { PQclear(more) }
    }

    /// Returns the number of profiles whose bytes differ in the table of a store and in this one.
    func differenceCount(fromSchema schema: String) throws -> Int {
        try number(
            """
            SELECT count(*)
            FROM (SELECT * FROM \(schema).kv WHERE k >= '\\x757365727300' AND k < '\\x757365727301') AS ours
            FULL JOIN \(table) AS theirs USING (k) WHERE ours.v IS DISTINCT FROM theirs.v
            """)
    }
}
