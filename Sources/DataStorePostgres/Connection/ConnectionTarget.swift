import CDataStorePostgres
import DataStoreSystem

/// The server, the database and the schema of a store.
struct ConnectionTarget: Sendable {
    /// The name of the schema if the URI contains none.
    static let defaultSchema = "profiles"

    /// The URI without the schema, for libpq.
    let uri: String
    /// The name of the schema that contains the tables of the store.
    let schema: String
    /// The canonical URI of the store, for messages. It contains no password.
    let description: String

    /// Parses a connection URI.
    ///
    /// - Throws: `DataStoreError` with the code `notAStore` if the text is not a URI for libpq, or contains a password.
    init(_ text: String) throws(DataStoreError) {
        let scheme = ["postgres://", "postgresql://"].first(where: text.hasPrefix)
        guard let scheme else { throw Self.invalid("it must begin with postgres://") }
        let parts = text.dropFirst(scheme.count).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let server = parts[0]
        // The password is detected before libpq parses the URI, because messages of libpq may quote it. A password may
        // contain any character up to the last `@`.
        if let at = server.lastIndex(of: "@"), server[..<at].contains(":") { throw Self.passwordError }
        let parameters = parts.dropFirst().flatMap { $0.split(separator: "&") }
        if parameters.contains(where: { Self.isSecret($0.prefix { $0 != "=" }.lowercased()) }) {
            throw Self.passwordError
        }
        let (key, others) = ("schema=", parameters.filter { !$0.hasPrefix("schema=") })
        let given = parameters.last { $0.hasPrefix(key) }.map { String(percentDecoding: $0.dropFirst(key.count)) }
        guard let name = given ?? Self.defaultSchema else {
            throw Self.invalid("the name of the schema is not percent-encoded UTF-8")
        }
        guard (1...63).contains(name.utf8.count), !name.utf8.contains(0), !name.hasPrefix("pg_") else {
            throw Self.invalid("the name of a schema has 1 to 63 bytes and does not begin with pg_")
        }
        self.schema = name
        uri = "postgres://\(server)" + (others.isEmpty ? "" : "?" + others.joined(separator: "&"))
        description =
            "postgres://\(server)?"
            + (others + ["schema=\(name.percentEncoded(keeping: "_-."))"]).joined(separator: "&")
        try Self.validate(uri)
    }

    private static func validate(_ uri: String) throws(DataStoreError) {
        var message: UnsafeMutablePointer<CChar>?
        // libpq allocates the options and the message, and both are freed here.
        let options = unsafe PQconninfoParse(uri, &message)
        defer {
            unsafe PQconninfoFree(options)
            unsafe PQfreemem(message)
        }
        if unsafe options != nil {
            if unsafe values(of: options).keys.contains(where: isSecret) { throw passwordError }
            return
        }
        // If a password contains `/` and `?`, libpq quotes the rest of it.
        let parts = uri.dropFirst("postgres://".count).split(separator: "?", maxSplits: 1)
        if parts.count > 1, parts[0].contains(":"), parts[1].contains("@") { throw passwordError }
        let reason = unsafe message.map { unsafe String(cString: $0) } ?? "out of memory"
        throw invalid(reason.firstLine)
    }

    /// Returns the values of the options in an array of libpq, by keyword. Options without a value are left out.
    static func values(of options: UnsafeMutablePointer<PQconninfoOption>?) -> [String: String] {
        var values: [String: String] = [:]
        guard var option = unsafe options else { return values }
        // The array ends with an option without a keyword.
        while let keyword = unsafe option.pointee.keyword {
            unsafe values[String(cString: keyword)] = option.pointee.val.map { unsafe String(cString: $0) }
            unsafe option += 1
        }
        return values
    }

    /// Whether a parameter of libpq contains a secret, e.g. `password`, `sslpassword`, `oauth_client_secret`,
    /// `scram_client_key`.
    private static func isSecret(_ name: String) -> Bool {
        ["password", "_secret", "_key"].contains(where: name.hasSuffix)
    }

    private static var passwordError: DataStoreError {
        invalid("a password is not allowed; use a password file (PGPASSFILE) or a service file")
    }

    private static func invalid(_ reason: String) -> DataStoreError {
        DataStoreError(.notAStore, "not a connection URI: \(reason)", operation: "open the store")
    }
}
