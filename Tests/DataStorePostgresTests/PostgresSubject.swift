import CDataStorePostgres
import DataStoreCore
import DataStorePostgres
import DataStoreTesting
import Foundation
import Testing

/// A store in its own schema of the server that the environment variable `USERPROFILE_TEST_POSTGRES` names. The schema
/// is dropped together with the subject.
final class PostgresSubject: DataStoreSubject {
    /// The URI of the server, or `nil` if no server is available.
    static let server = ProcessInfo.processInfo.environment["USERPROFILE_TEST_POSTGRES"]

    let schema = "test_\(UUID().uuidString.lowercased().filter { $0 != "-" })"

    /// The URI of the store.
    var uri: String { uri(of: PostgresSubject.server ?? "") }

    /// Returns the URI of the store through another URI of the server. The name of the schema also identifies the
    /// sessions of the store.
    func uri(of server: String) -> String {
        server + (server.contains("?") ? "&" : "?") + "application_name=\(schema)&schema=\(schema)"
    }

    deinit { _ = try? PlainPostgres().run("DROP SCHEMA IF EXISTS \(schema) CASCADE") }

    func open() async throws -> any DataStore { try await PostgresDataStore(uri) }

    func raiseFormatVersion() async throws { try PlainPostgres().run("UPDATE \(schema).meta SET format = 4") }

    func damage(_ key: Key) async throws {
        try PlainPostgres().run(
            """
            UPDATE \(schema).kv SET v = set_byte(v, length(v) - 3, get_byte(v, length(v) - 3) # 1)
            WHERE k = '\(PostgresSubject.literal(key))'
            """)
    }

    func snapshot() async throws -> [String: [UInt8]] {
        let server = try PlainPostgres()
        return [
            "kv": Array(try server.run("SELECT k, v FROM \(schema).kv ORDER BY k").joined(separator: "\n").utf8),
            "meta": Array(try server.run("SELECT format FROM \(schema).meta").joined(separator: "\n").utf8),
        ]
    }

    /// Returns the stored key in the text form of a `bytea`.
    static func literal(_ key: Key) -> String {
        let bytes = Array(key.collection.utf8) + [0] + Array(key.id.utf8)
        return "\\x" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// A connection without the store, for statements that inspect or damage its tables.
///
/// - Safety: `@safe` because the object owns the connection and closes it once.
@safe
final class PlainPostgres {
    private let raw: OpaquePointer

    init() throws {
        let connection = unsafe PQconnectdb(PostgresSubject.server ?? "")
        unsafe raw = try #require(unsafe connection)
        let status = unsafe PQstatus(raw)
        try #require(status == CONNECTION_OK)
    }

    deinit { unsafe PQfinish(raw) }

    /// Executes a statement, and returns the values of all rows and columns as text.
    @discardableResult
    func run(_ sql: String) throws -> [String] {
        let executed = unsafe PQexec(raw, sql)
        let result = unsafe try #require(unsafe executed)
        defer { unsafe PQclear(result) }
        let status = unsafe PQresultStatus(result)
        let message = unsafe String(cString: PQerrorMessage(raw))
        try #require(status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK, "\(message)")
        return (0..<(unsafe PQntuples(result))).flatMap { row in
            (0..<(unsafe PQnfields(result))).map { unsafe String(cString: PQgetvalue(result, row, $0)) }
        }
    }
}
