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
    var milliseconds: Int64 { Int64(min(max(1, self / .milliseconds(1)), Double(Int32.max))) }
}
