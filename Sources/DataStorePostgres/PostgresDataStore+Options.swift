public import DataStoreCore

extension PostgresDataStore {
    /// The limits of a store: how long its calls wait for the server, and how many reads run at once. No call waits for
    /// the server indefinitely.
    ///
    /// ```swift
    /// let store = try await PostgresDataStore("postgres://host/db", options: .init(timeout: .seconds(10)))
    /// ```
    public struct Options: Sendable {
        /// The time after which a call no longer connects or retries a transaction.
        package var timeout: Duration

        /// The maximum time to connect to one host.
        package var connectTimeout: Duration

        /// The maximum time that the server may take for one statement.
        package var statementTimeout: Duration

        /// The maximum number of reads that run at once. Each one has a connection and a thread.
        package var readerCount: Int

        /// Creates options. Each option has a default.
        ///
        /// - Parameters:
        ///   - timeout: The time limit of a call: for a connection, for other programs, and for a server that is
        ///     failing over. A call ends at most 5 seconds later. Only a call that reads or writes many records takes
        ///     longer, as long as the server answers each of its requests within half of this time.
        ///   - connectTimeout: The maximum time to connect to one host.
        ///   - statementTimeout: The maximum time that the server may take for one statement.
        ///   - readerCount: The maximum number of reads that run at once. Each one has a connection and a thread, which
        ///     are created when they are first needed.
        public init(
            timeout: Duration = .seconds(30), connectTimeout: Duration = .seconds(3),
            statementTimeout: Duration = .seconds(30), readerCount: Int = 4
        ) {
            self.timeout = timeout
            self.connectTimeout = connectTimeout
            self.statementTimeout = statementTimeout
            self.readerCount = max(1, readerCount)
        }

        /// The time for which a call waits for the last answer after its time limit. A reachable server then cancels a
        /// slow statement before the store closes the connection.
        static let lastAnswerTimeout = Duration.seconds(5)

        /// The maximum time to wait for an answer if a call that has made progress has reached its time limit.
        var progressTimeout: Duration { max(Self.lastAnswerTimeout, timeout / 2) }
    }
}

extension Duration {
    /// The duration in milliseconds, at least 1, for a setting of the server.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, isOverflowing) = seconds.multipliedReportingOverflow(by: 1000)
        let limit = Int64(Int32.max)
        return isOverflowing ? limit : min(max(1, whole + attoseconds / 1_000_000_000_000_000), limit)
    }
}

/// The kind of store that is a schema of a PostgreSQL database. The address is a connection URI without its scheme.
///
/// `UserProfileKit` does not link libpq, so a program must pass this kind when it parses a location:
///
/// ```swift
/// let location = try StorageLocation(
///     "postgres://user@host/db?schema=profiles", kinds: .local + [PostgresStoreKind()])
/// let storage = try await UserProfileStorage.open(location)
/// ```
public struct PostgresStoreKind: StoreKind {
    /// The text `postgres`.
    public let scheme = "postgres"

    /// Creates the kind.
    public init() {}

    /// Validates a connection URI without its scheme, and returns its canonical form, which contains the name of the
    /// schema.
    public func address(from text: String) throws(DataStoreError) -> String {
        String(try ConnectionTarget("\(scheme):\(text)").description.dropFirst(scheme.count + 1))
    }

    /// Connects to the server and opens the store. The first write creates its tables.
    public func open(at address: String, report: (@Sendable (String) -> Void)?) async throws -> any DataStore {
        try await PostgresDataStore("\(scheme):\(address)")
    }

    /// Returns whether the schema that an address names contains the tables of a store.
    public func exists(at address: String) async throws -> Bool {
        try await PostgresDataStore("\(scheme):\(address)").closing { try await $0.exists() }
    }

    /// Returns a short description of the format in which the server stores the records.
    public func format(at address: String) async throws -> String { "PostgreSQL tables, checksummed CBOR" }
}
