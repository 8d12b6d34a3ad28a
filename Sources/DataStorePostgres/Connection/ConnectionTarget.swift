import CDataStorePostgres
import DataStoreCore

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
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let scheme = ["postgres://", "postgresql://"].first(where: text.hasPrefix)
        guard let scheme else { throw Self.invalid("it must begin with postgres://") }
        let server = parts[0].dropFirst(scheme.count)
        // The password is detected before libpq parses the URI, because messages of libpq may quote it. A password may
        // contain any character up to the last `@`.
        if let at = server.lastIndex(of: "@"), server[..<at].contains(":") { throw Self.passwordError }
        var (schema, others): (String?, [Substring]) = (nil, [])
        for parameter in parts.count > 1 ? parts[1].split(separator: "&", omittingEmptySubsequences: true) : [] {
            let name = parameter.prefix { $0 != "=" }
            if Self.isSecret(name.lowercased()) { throw Self.passwordError }
            if name == "schema" {
                schema = try Self.decoded(parameter.dropFirst(name.count + 1))
            } else {
                others.append(parameter)
            }
        }
        let name = schema ?? Self.defaultSchema
        guard (1...63).contains(name.utf8.count), !name.utf8.contains(0), !name.hasPrefix("pg_") else {
            throw Self.invalid("the name of a schema has 1 to 63 bytes and does not begin with pg_")
        }
        self.schema = name
        uri = "postgres://\(server)" + (others.isEmpty ? "" : "?" + others.joined(separator: "&"))
        description =
            "postgres://\(server)?" + (others + ["schema=\(Self.encoded(name))"]).joined(separator: "&")
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
        if let options = unsafe options {
            // The array ends with an option without a keyword.
            var option = unsafe options
            while let keyword = unsafe option.pointee.keyword {
                let isSecret = unsafe isSecret(String(cString: keyword))
                if isSecret, unsafe option.pointee.val != nil { throw passwordError }
                unsafe option += 1
            }
            return
        }
        // If a password contains `/` and `?`, libpq quotes the rest of it.
        let parts = uri.dropFirst("postgres://".count).split(separator: "?", maxSplits: 1)
        if parts.count > 1, parts[0].contains(":"), parts[1].contains("@") { throw passwordError }
        let reason = unsafe message.map { unsafe String(cString: $0) } ?? "out of memory"
        throw invalid(reason.firstLine)
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

    /// Decodes the percent-encoded bytes of a parameter.
    private static func decoded(_ text: Substring) throws(DataStoreError) -> String {
        var (bytes, rest) = ([UInt8](), text.utf8)
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(Substring(rest.prefix(2)), radix: 16) else {
                throw invalid("the name of the schema has an invalid percent-encoding")
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        guard let decoded = String(validating: bytes, as: UTF8.self) else {
            throw invalid("the name of the schema is not UTF-8")
        }
        return decoded
    }

    private static func encoded(_ name: String) -> String {
        var text = ""
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }
}

extension String {
    /// The first line of the text. Messages of libpq end with a line feed, and further lines contain details.
    var firstLine: String { String(prefix { !$0.isNewline }) }
}
