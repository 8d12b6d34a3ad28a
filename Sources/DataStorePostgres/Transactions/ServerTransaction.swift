import DataStoreCore
import RecordFraming

/// A transaction on a server, which begins with the first statement. All statements see one snapshot.
final class ServerTransaction {
    private let link: ServerLink
    private let deadline: ContinuousClock.Instant
    /// The statements that begin the transaction. If there are none, the next sync ends the transaction.
    private let opening: [Statement]
    private var connection: Connection
    private let stored = StoredRecord()
    /// The number of requests in advance so far, which is also the number of the last one.
    private var requestCount = 0
    /// The answer that was requested in advance, or `nil` if none was requested.
    private var ahead: Ahead?
    /// The query that was sent by ``prefetch(_:_:)``, and the number of its request.
    private var prefetched: (statement: Statement, parameters: Parameters, request: Int)?
    /// Whether the server was asked to answer all statements that were sent.
    private var isFlushed = true

    /// An answer that was requested in advance.
    private enum Ahead {
        /// The server has not sent the answer yet.
        case pending
        case result(QueryResult)
        /// The server has not sent the answer yet, and the answer is no longer needed.
        case abandoned
    }

    /// Whether the server has answered a statement of the transaction.
    private(set) var hasBegun = false
    /// Whether the caller has received an answer. The answers after it must come from the same snapshot.
    private(set) var isSnapshotSeen = false

    /// The first failure of the server. After a failure, no statement of the transaction can succeed.
    private(set) var failure: PostgresError?

    /// Creates a transaction.
    ///
    /// - Parameters:
    ///   - link: The connection to use.
    ///   - connection: The connection of `link`.
    ///   - opening: The statements that begin the transaction.
    ///   - deadline: The time at which attempts to replace a lost connection end.
    init(
        _ link: ServerLink, _ connection: Connection, opening: [Statement] = [],
        deadline: ContinuousClock.Instant
    ) {
        self.link = link
        self.connection = connection
        self.opening = opening
        self.deadline = deadline
    }

    /// Executes a statement that reads.
    ///
    /// If the connection is lost before the caller of a read has received an answer, the statement is repeated on a new
    /// connection.
    func query(_ statement: Statement, _ parameters: Parameters) throws(DataStoreError) -> QueryResult {
        if let failure { throw failure.mapped() }
        if let prefetched = prefetched.take() {
            if prefetched.statement != statement || prefetched.parameters != parameters {
                abandonAhead(prefetched.request)
            } else if let result = try takeAhead(prefetched.request) {
                return result
            }
        }
        while true {
            do throws(PostgresError) {
                try sendOpening()
                try send(statement, parameters)
                try receiveAhead()
                let result = try receive()
                isSnapshotSeen = true
                return result
            } catch {
                try reconnect(after: error)
            }
        }
    }

    /// Replaces a lost connection, unless the caller has received an answer on it.
    ///
    /// - Throws: The mapped error if the transaction cannot continue on another connection.
    private func reconnect(after error: PostgresError) throws(DataStoreError) {
        guard error.isConnectionLost, !isSnapshotSeen, opening.isEmpty, .now < deadline else {
            failure = error
            throw error.mapped()
        }
        connection = try link.connected(until: deadline)
        // The answer that was requested in advance is lost with the connection.
        ahead = nil
        isFlushed = true
        hasBegun = false
    }

    private func sendOpening() throws(PostgresError) {
        if !hasBegun, ahead == nil { for statement in opening { try connection.send(statement) } }
    }

    private func send(
        _ statement: Statement, _ parameters: Parameters, flushing: Bool = true
    ) throws(PostgresError) {
        try connection.send(statement, parameters)
        isFlushed = flushing
        guard flushing else { return }
        // A sync does not end a transaction that began with `BEGIN`. After a sync, the server also limits how long this
        // transaction may be idle.
        if opening.isEmpty { try connection.request() } else { try connection.sync() }
    }

    private func receive() throws(PostgresError) -> QueryResult {
        if !hasBegun { for _ in opening { _ = try connection.result() } }
        let result = try connection.result()
        hasBegun = true
        return result
    }

    // MARK: Requesting in advance

    /// Sends a statement without waiting for its answer, so that the server works on it while the caller continues. If
    /// `flushing` is `false`, the statement is sent together with the next one.
    ///
    /// - Returns: The number of the request, or `nil` if the statement was not sent. Only one answer at a time can be
    ///   requested in advance.
    func requestAhead(_ statement: Statement, _ parameters: Parameters, flushing: Bool = true) -> Int? {
        requestAhead { connection throws(PostgresError) in try send(statement, parameters, flushing: flushing) }
    }

    /// Sends a query, whose answer ``query(_:_:)`` returns later. The function does not wait for the server.
    func prefetch(_ statement: Statement, _ parameters: Parameters) {
        prefetched = requestAhead(statement, parameters).map { (statement, parameters, $0) }
    }

    /// Sends the changes of the transaction, and requests the previous records of `keys`, which
    /// ``takeAhead(_:)`` returns. If `needsAnswer` is `false`, the changes are sent together with the commit. The
    /// transaction cannot execute a query afterwards.
    ///
    /// - Returns: The number of the request, or `nil` if the changes were not sent.
    func send(
        _ changes: Overlay, verifying keys: ByteaArray, _ slot: WriterSlot, _ token: [UInt8], needsAnswer: Bool
    ) -> Int? {
        requestAhead { connection throws(PostgresError) in
            try connection.send(changes, verifying: keys, slot, token)
            // The server limits how long the transaction is idle after a sync. A sync does not end the transaction,
            // because it began with `BEGIN`.
            if needsAnswer { try connection.sync() }
        }
    }

    private func requestAhead(_ send: (Connection) throws(PostgresError) -> Void) -> Int? {
        guard failure == nil else { return nil }
        do throws(PostgresError) {
            if case .abandoned = ahead { try receiveAhead() }
            guard ahead == nil else { return nil }
            try sendOpening()
            try send(connection)
            ahead = .pending
            requestCount += 1
            return requestCount
        } catch {
            // If the transaction can continue on another connection, its next query does so.
            if isSnapshotSeen || !opening.isEmpty { failure = error }
            return nil
        }
    }

    /// Returns the answer to the request with the given number, or `nil` if the request was lost with its connection.
    func takeAhead(_ request: Int) throws(DataStoreError) -> QueryResult? {
        if let failure { throw failure.mapped() }
        // Another request may have been sent on a new connection.
        guard request == requestCount else { return nil }
        do throws(PostgresError) {
            try receiveAhead()
            guard case .result(let result) = ahead.take() else { return nil }
            isSnapshotSeen = true
            return result
        } catch {
            try reconnect(after: error)
            return nil
        }
    }

    /// Discards the answer to the request with the given number.
    func abandonAhead(_ request: Int) {
        guard request == requestCount else { return }
        if case .pending = ahead { ahead = .abandoned } else { ahead = nil }
    }

    /// Receives the answer that was requested in advance, if it is pending. The server answers in the order of the
    /// statements, so this answer arrives before the answer to any later statement.
    private func receiveAhead() throws(PostgresError) {
        // No later statement has flushed the request.
        if ahead != nil, !isFlushed {
            try connection.request()
            isFlushed = true
        }
        switch ahead {
        case .pending: ahead = .result(try receive())
        case .abandoned:
            ahead = nil
            _ = try receive()
        case .result, nil: break
        }
    }

    /// Ends a transaction that reads. The function waits for the server only if an answer that was requested in advance
    /// has not arrived.
    func end() {
        do throws(PostgresError) {
            if failure == nil {
                // An answer that was requested in advance is discarded.
                try connection.reset()
                // Nothing is sent if the closure has read nothing.
                if hasBegun { try connection.sync() }
            } else if !connection.isLost {
                try connection.reset()
            }
        } catch {
            // The connection is lost, and the next transaction opens another one.
            link.discard()
        }
    }

    // MARK: Records

    /// Passes a view of a stored record to a closure after verifying its checksum.
    func decode(
        _ frame: Span<UInt8>, _ key: Span<UInt8>, _ body: (borrowing RecordView) throws(DataStoreError) -> Scan.Step
    ) throws(DataStoreError) -> Scan.Step {
        try stored.withView(of: frame.extracting(RecordFrame.body(of: frame, key: key)), body)
    }

    /// Returns the name of the first collection after `name` on the server, or `nil` if no collection follows. If
    /// `name` is `nil`, returns the first collection. Keys that begin with a NUL belong to the library and are skipped.
    func collection(after name: String?) throws(DataStoreError) -> String? {
        var parameters = Parameters(name.map { Array($0.utf8) + [1] } ?? [1])
        // No UTF-8 text contains this byte.
        parameters.append([0xFF] as [UInt8])
        parameters.append(1)
        let found = try query(.ascendingKeys, parameters)
        guard found.count > 0 else { return nil }
        return try found.with(0, 0) { bytes throws(DataStoreError) in try KeyBytes.key(of: bytes).collection }
    }
}
