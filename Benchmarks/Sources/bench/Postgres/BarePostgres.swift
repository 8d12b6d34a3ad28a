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
        try run("CREATE SCHEMA IF NOT EXISTS \(schema)")
        try run("CREATE TABLE IF NOT EXISTS \(table) (k bytea PRIMARY KEY, v bytea NOT NULL)")
        let conflict = "ON CONFLICT (k) DO UPDATE SET v = excluded.v"
        try prepare("select", "SELECT v FROM \(table) WHERE k = $1")
        try prepare("put", "INSERT INTO \(table) VALUES ($1, $2) \(conflict)")
        try prepare("put all", "INSERT INTO \(table) SELECT * FROM unnest($1::bytea[], $2::bytea[]) \(conflict)")
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

    /// Runs a prepared statement with one or two binary parameters. The caller must clear the result.
    private func run(_ name: String, _ first: [UInt8], _ second: [UInt8]? = nil) -> OpaquePointer? {
        first.withUnsafeBytes { first in
            (second ?? []).withUnsafeBytes { other in
                withUnsafePointer(
                    to: (
                        first.baseAddress?.assumingMemoryBound(to: CChar.self),
                        other.baseAddress?.assumingMemoryBound(to: CChar.self)
                    )
                ) { values in
                    values.withMemoryRebound(to: UnsafePointer<CChar>?.self, capacity: 2) { values in
                        withUnsafePointer(to: (Int32(first.count), Int32(other.count))) { lengths in
                            lengths.withMemoryRebound(to: Int32.self, capacity: 2) { lengths in
                                withUnsafePointer(to: (Int32(1), Int32(1))) { formats in
                                    formats.withMemoryRebound(to: Int32.self, capacity: 2) { formats in
                                        PQexecPrepared(
                                            connection, name, second == nil ? 1 : 2, values, lengths, formats, 1)
                                    }
                                }
                            }
                        }
                    }
                }
            }
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
        var rest = entries[...]
        while !rest.isEmpty {
            let batch = rest.prefix(count)
            rest = rest.dropFirst(count)
            try run("BEGIN ISOLATION LEVEL SERIALIZABLE")
            try put("put all", Self.array(batch.map(\.key)), Self.array(batch.map(\.value)))
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
