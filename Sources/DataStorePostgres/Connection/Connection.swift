import CDataStorePostgres
import DataStoreSystem

/// A connection to a server in the pipeline mode of libpq. Only one thread uses it at a time.
///
/// A caller sends statements and fetches the same number of results. The server answers when the caller requests it
/// with ``request()`` or ``sync()``. Without an explicit `BEGIN`, all statements up to a sync are one transaction. No
/// function waits for the server after ``deadline``.
///
/// - Safety: `@unchecked Sendable` because only the call that has taken a connection from ``Connections`` uses it,
///   and a `PGconn` may be used by one thread after another. `@safe` because the object owns the `PGconn` and closes it
///   once, and every pointer passed to libpq is valid during the call.
@safe
final class Connection: @unchecked Sendable {
    private let raw: OpaquePointer
    /// The quoted name of the schema.
    private let schema: String
    private var prepared: Set<Statement> = []
    /// The results that have not been received yet, in the order in which they were requested: `nil` for an answer, or
    /// the statement whose preparation the result confirms.
    private var expected: [Statement?] = []
    /// The number of syncs that the server has not confirmed yet.
    private var syncCount = 0
    /// Whether the server has been told to answer all queued statements.
    private var isRequested = true
    private var hasFailed = false

    /// Whether the connection cannot be used any more.
    private(set) var isLost = false

    /// Whether the server rejects writes of each session that does not change this setting. The server reports the
    /// setting at the start of a session and after a change.
    var defaultsToReadOnly: Bool {
        unsafe String(libpq: PQparameterStatus(raw, "default_transaction_read_only")) == "on"
    }

    /// The time at which the current call stops waiting for the server. The connection is then lost.
    var deadline: ContinuousClock.Instant

    /// The format version of the store, or `nil` if its tables did not exist when they were last looked up.
    var format: Int64?
    /// The slot that the writer acquired through this connection, or `nil` if it has not acquired one.
    var slot: WriterSlot?

    /// Takes ownership of a connected `PGconn`, and enters pipeline mode.
    init(_ raw: OpaquePointer, schema: String, deadline: ContinuousClock.Instant) throws(DataStoreError) {
        unsafe self.raw = unsafe raw
        self.schema = Statement.identifier(schema)
        self.deadline = deadline
        guard unsafe PQsetnonblocking(raw, 1) == 0 else { throw lostError() }
        guard unsafe PQenterPipelineMode(raw) == 1 else { throw lostError() }
    }

    deinit { unsafe PQfinish(raw) }

    // MARK: Sending

    /// Queues a statement with the binary forms of its parameters.
    func send(_ statement: Statement, _ parameters: [[UInt8]] = []) throws(DataStoreError) {
        if !prepared.contains(statement) {
            let isSent = unsafe PQsendPrepare(raw, statement.rawValue, statement.text(schema), 0, nil)
            guard isSent == 1 else { throw lostError() }
            prepared.insert(statement)
            expected.append(statement)
        }
        let lengths = parameters.map { Int32(truncatingIfNeeded: $0.count) }
        let formats = [Int32](repeating: 1, count: lengths.count)
        // An empty array has no address, and a parameter without an address would be NULL. So one byte follows the
        // last.
        let isSent = unsafe (parameters.flatMap(\.self) + [0]).withUnsafeBytes { bytes in
            var start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            let values = unsafe lengths.map { length -> UnsafePointer<CChar>? in
                defer { unsafe start = start.map { unsafe $0 + Int(length) } }
                return unsafe start
            }
            return unsafe PQsendQueryPrepared(
                raw, statement.rawValue, Int32(lengths.count), values, lengths, formats, 1)
        }
        guard isSent == 1 else { throw lostError() }
        expected.append(nil)
        isRequested = false
    }

    /// Requests the answers to the queued statements, within the current transaction.
    func request() throws(DataStoreError) {
        guard unsafe PQsendFlushRequest(raw) == 1 else { throw lostError() }
        isRequested = true
        _ = try flush()
    }

    /// Ends the transaction, unless it began with `BEGIN`, and requests the answers to the queued statements. The
    /// function does not wait for the server.
    func sync() throws(DataStoreError) {
        guard unsafe PQpipelineSync(raw) == 1 else { throw lostError() }
        (syncCount, isRequested) = (syncCount + 1, true)
        _ = try flush()
    }

    /// Waits until the operating system has accepted the queued statements. libpq then no longer keeps them in memory.
    func flushAll() throws(DataStoreError) { while try !flush() { try wait() } }

    private func flush() throws(DataStoreError) -> Bool {
        switch unsafe PQflush(raw) {
        case 0: return true
        case 1: return false
        default: throw lostError()
        }
    }

    // MARK: Receiving

    /// Returns the result of the next statement. Requests it first, if necessary.
    ///
    /// - Throws: `DataStoreError` if the statement failed, or if the connection was lost. After the failure of a
    ///   statement, call ``reset()`` before the next statement.
    func result() throws(DataStoreError) -> QueryResult {
        if !isRequested { try request() }
        while true {
            guard !expected.isEmpty else { throw lost("no statement is pending") }
            guard let result = try fetch(), result.status != PGRES_PIPELINE_SYNC else { continue }
            let preparation = expected.removeFirst()
            do {
                try check(result)
            } catch {
                hasFailed = true
                if let preparation { prepared.remove(preparation) }
                throw error
            }
            if preparation == nil { return result }
        }
    }

    /// Executes a single statement in a transaction of its own, or in the current one.
    func execute(_ statement: Statement, _ parameters: [[UInt8]] = []) throws(DataStoreError) -> QueryResult {
        try execute { () throws(DataStoreError) in try send(statement, parameters) }
    }

    /// Executes statements without parameters in one transaction.
    func executeInTransaction(_ statements: [String]) throws(DataStoreError) {
        do throws(DataStoreError) {
            _ = try execute { () throws(DataStoreError) in
                for sql in ["BEGIN ISOLATION LEVEL READ COMMITTED"] + statements + ["COMMIT"] {
                    let isSent = unsafe PQsendQueryParams(raw, sql, 0, nil, nil, nil, nil, 1)
                    guard isSent == 1 else { throw lostError() }
                    expected.append(nil)
                }
            }
        } catch {
            if !isLost { _ = try execute(.rollback) }
            throw error
        }
    }

    /// Executes the statements that a closure queues, and returns the result of the last one.
    private func execute(_ queue: () throws(DataStoreError) -> Void) throws(DataStoreError) -> QueryResult {
        do throws(DataStoreError) {
            try queue()
            try sync()
            let answer = try lastResult()
            // The statements are durable only after the sync.
            try drain()
            return answer
        } catch {
            if !isLost { try reset() }
            throw error
        }
    }

    /// Receives the results of all queued statements, and returns the result of the last one.
    ///
    /// - Throws: `DataStoreError` if a statement failed, or if the connection was lost.
    func lastResult() throws(DataStoreError) -> QueryResult {
        var last = try result()
        while expected.contains(nil) { last = try result() }
        return last
    }

    /// Waits for all pending results and discards them, so that statements can be sent after a failure. A transaction
    /// that began with `BEGIN` must still be rolled back.
    func reset() throws(DataStoreError) {
        guard hasFailed || !expected.isEmpty else { return }
        try sync()
        try drain()
        guard expected.isEmpty else { throw lost("the server sent too few results") }
        hasFailed = false
    }

    /// Waits until the server has confirmed all syncs, and discards the results before them.
    ///
    /// - Throws: `DataStoreError` if the connection was lost, or if a sync failed to commit its statements.
    private func drain() throws(DataStoreError) {
        while syncCount > 0 {
            guard let result = try fetch(), result.status != PGRES_PIPELINE_SYNC else { continue }
            guard !expected.isEmpty else {
                try check(result)
                throw lost("the server sent an unexpected result")
            }
            if let preparation = expected.removeFirst(), result.status != PGRES_COMMAND_OK {
                prepared.remove(preparation)
            }
        }
    }

    /// Returns the next result, or `nil` at the end of the results of a statement.
    private func fetch() throws(DataStoreError) -> QueryResult? {
        if isLost { throw lostError() }
        while unsafe PQisBusy(raw) == 1 { try wait() }
        guard let result = unsafe PQgetResult(raw).map({ unsafe QueryResult($0) }) else {
            if unsafe PQstatus(raw) == CONNECTION_BAD { throw lostError() }
            return nil
        }
        switch result.status {
        case PGRES_PIPELINE_SYNC: syncCount -= 1
        // libpq would return such a result again and again.
        case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH: throw lost("the server sent an unexpected result")
        default: break
        }
        return result
    }

    private func check(_ result: QueryResult) throws(DataStoreError) {
        switch result.status {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK: return
        case PGRES_PIPELINE_ABORTED:
            throw PostgresError("an earlier statement failed", isConnectionLost: isLost).mapped()
        default:
            let (state, message) = (result.field("C"), result.field("M"))
            // The server ends a session after a fatal error, and a connection exception has the class 08. An error
            // without a SQLSTATE comes from libpq, e.g. because no memory is left, and the answer of the server is
            // unknown.
            let isFatal = ["FATAL", "PANIC"].contains(result.field("V")) || state.hasPrefix("08") || state.isEmpty
            if unsafe isFatal || PQstatus(raw) == CONNECTION_BAD { isLost = true }
            throw PostgresError(
                sqlState: state, message.isEmpty ? "the connection was closed" : message, isConnectionLost: isLost
            ).mapped()
        }
    }

    /// Sends queued statements, and waits until the server has sent data, or can accept more of them.
    private func wait() throws(DataStoreError) {
        let isFlushed = try flush()
        var descriptor = pollfd(
            fd: unsafe PQsocket(raw), events: Int16(isFlushed ? POLLIN : POLLIN | POLLOUT), revents: 0)
        let left = deadline - .now
        guard left > .zero else { throw noAnswerError() }
        // The structure is valid during the call. An interrupted call returns early, and the caller waits again.
        let count = unsafe poll(&descriptor, 1, Int32(clamping: left.milliseconds))
        guard count > 0, Int32(descriptor.revents) & ~POLLOUT != 0 else { return }
        guard unsafe PQconsumeInput(raw) == 1 else { throw lostError() }
    }

    private func lostError() -> DataStoreError {
        lost(unsafe String(libpq: PQerrorMessage(raw)).firstLine)
    }

    private func noAnswerError() -> DataStoreError {
        // The server then ends the session, although the caller may keep this object for a while.
        shutdown(unsafe PQsocket(raw), Int32(SHUT_RDWR))
        return lost("the server did not answer in time")
    }

    private func lost(_ message: String) -> DataStoreError {
        isLost = true
        return PostgresError.lost(message)
    }
}
