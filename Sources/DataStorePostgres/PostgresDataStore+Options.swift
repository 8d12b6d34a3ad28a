extension PostgresDataStore {
    /// The limits of a store: how long its calls wait for the server, and how many reads run at once. No call waits for
    /// the server indefinitely.
    ///
    /// ```swift
    /// let store = try await PostgresDataStore("postgres://host/db", options: .init(timeout: .seconds(10)))
    /// ```
    public struct Options: Sendable {
        /// The maximum time for which a call waits for a connection or retries a transaction. If the connection is lost
        /// during a commit, the call waits up to this time again to determine the outcome.
        package var timeout: Duration

        /// The maximum time to connect to one host, rounded up to whole seconds.
        package var connectTimeout: Duration

        /// The maximum time that the server may take for one statement.
        package var statementTimeout: Duration

        /// The maximum number of reads that run at once. Each one has a connection and a thread.
        package var readerCount: Int

        /// Creates options. Each option has a default.
        ///
        /// - Parameters:
        ///   - timeout: The maximum time for which a call waits for a connection, for other programs, or for a server
        ///     that is failing over. After that, it throws an error. If the connection is lost during a commit, the
        ///     call waits up to this time again to determine the outcome.
        ///   - connectTimeout: The maximum time to connect to one host, rounded up to whole seconds. libpq raises one
        ///     second to two.
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

        /// The maximum time to wait for the server's next answer. It is 5 seconds longer than `statementTimeout`, so
        /// that a reachable server cancels a slow statement before the store closes the connection.
        var answerTimeout: Duration { statementTimeout + .seconds(5) }
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
