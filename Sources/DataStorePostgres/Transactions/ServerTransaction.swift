import RecordFraming

/// A transaction on a server, which begins with the first statement. All statements see one snapshot.
final class ServerTransaction {
    private let link: ServerLink
    private let deadline: ContinuousClock.Instant
    /// The statements that begin the transaction. If there are none, the next sync ends the transaction.
    private let opening: [Statement]
    private var connection: Connection
    let stored = StoredRecord()
    /// Whether the server has answered a statement, and whether the caller has received an answer. The answers after
    /// it must come from the same snapshot.
    private var (isAnswered, isSeen) = (false, false)
    /// The queries that were sent by ``prefetch(_:_:flushing:)`` and whose answers no caller has used yet, in the order
    /// of their answers. An answer is `nil` until it has been received.
    private var prefetched: [(statement: Statement, parameters: [[UInt8]], answer: QueryResult?)] = []
    private static let maximumPrefetchCount = 2
    let cache: QueryCache? = QueryCache()
    /// Whether the catalogue of the store has been requested, which every query and every read of an entity needs.
    var hasRequestedCatalogue = false

    /// The first failure of the server. After it, no statement can succeed any more.
    private(set) var failure: DataStoreError?

    /// Whether the server has answered a statement of the transaction, and has not failed.
    var hasBegun: Bool { failure == nil && isAnswered }

    /// Creates a transaction.
    ///
    /// - Parameters:
    ///   - link: The connection to use.
    ///   - connection: The connection of `link`.
    ///   - opening: The statements that begin the transaction.
    ///   - deadline: The time at which attempts to replace a lost connection end.
    init(_ link: ServerLink, _ connection: Connection, opening: [Statement] = [], deadline: ContinuousClock.Instant) {
        self.link = link
        self.connection = connection
        self.opening = opening
        self.deadline = deadline
    }

    /// Executes a statement that reads. If the query was prefetched, returns its answer.
    ///
    /// If the connection is lost before the caller of a read has received an answer, the statement is repeated on a new
    /// connection.
    func query(_ statement: Statement, _ parameters: [[UInt8]]) throws(DataStoreError) -> QueryResult {
        if let failure { throw failure }
        if hasBegun { extendDeadline() }
        while true {
            do throws(DataStoreError) {
                let answer = try answer(to: statement, parameters)
                isSeen = true
                return answer
            } catch {
                try reconnect(after: error)
            }
        }
    }

    private func answer(to statement: Statement, _ parameters: [[UInt8]]) throws(DataStoreError) -> QueryResult {
        let index = prefetched.firstIndex { $0.statement == statement && $0.parameters == parameters }
        if let index {
            try receivePrefetched(index + 1)
            if let answer = prefetched.remove(at: index).answer { return answer }
        }
        try sendOpening()
        try send(statement, parameters)
        try receivePrefetched(prefetched.count)
        return try receive()
    }

    /// Sends a query in advance, so that the server works on it while the caller continues. ``query(_:_:)`` with the
    /// same arguments then returns the answer. Only two queries are prefetched: a later one replaces the older one.
    ///
    /// The function waits for the server only if it replaces a query that has not been answered. If `flushing` is
    /// `false`, the query is sent together with the next one.
    func prefetch(_ statement: Statement, _ parameters: [[UInt8]], flushing: Bool = true) {
        guard failure == nil else { return }
        do throws(DataStoreError) {
            if prefetched.count == ServerTransaction.maximumPrefetchCount {
                try receivePrefetched(1)
                prefetched.removeFirst()
            }
            try sendOpening()
            try send(statement, parameters, flushing: flushing)
            prefetched.append((statement, parameters, nil))
        } catch {
            if !canReconnect(after: error) { failure = error }
        }
    }

    /// Sends the changes of the transaction. The transaction cannot execute a query afterwards.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - keys: The keys whose previous records are returned.
    ///   - slot: The row of the writer.
    ///   - token: The random token that is added to the row.
    ///   - waits: Whether to wait for the answer. If `false`, the changes are sent together with the commit.
    /// - Returns: The previous records, or `nil` if `waits` is `false`.
    /// - Throws: The error of the server.
    func send(
        _ changes: Overlay, verifying keys: [[UInt8]], _ slot: WriterSlot, _ token: [UInt8], waits: Bool
    ) throws(DataStoreError) -> QueryResult? {
        if let failure { throw failure }
        do throws(DataStoreError) {
            try receivePrefetched(prefetched.count)
            try sendOpening()
            extendDeadline()
            try connection.send(changes, verifying: keys, slot, token) { self.extendDeadline() }
            guard waits else { return nil }
            // The server limits how long the transaction is idle after a sync. A sync does not end the transaction,
            // because it began with `BEGIN`.
            try connection.sync()
            return try receive()
        } catch {
            failure = error
            throw error
        }
    }

    /// Replaces a lost connection, unless the caller has received an answer on it.
    ///
    /// - Throws: The error if the transaction cannot continue on another connection.
    private func reconnect(after error: DataStoreError) throws(DataStoreError) {
        guard canReconnect(after: error), .now < deadline else {
            failure = error
            throw error
        }
        connection = try link.connected(until: deadline)
        (prefetched, isAnswered) = ([], false)
    }

    /// Lets a transaction continue after the deadline of its call as long as the server answers. The closure of the
    /// call may take any time.
    private func extendDeadline() {
        connection.deadline = max(connection.deadline, .now + link.connections.options.progressTimeout)
    }

    private func canReconnect(after error: DataStoreError) -> Bool {
        error.server?.isConnectionLost == true && !isSeen && opening.isEmpty
    }

    private func sendOpening() throws(DataStoreError) {
        if !hasBegun, prefetched.isEmpty { for statement in opening { try connection.send(statement) } }
    }

    private func send(_ statement: Statement, _ parameters: [[UInt8]], flushing: Bool = true) throws(DataStoreError) {
        try connection.send(statement, parameters)
        guard flushing else { return }
        // A sync does not end a transaction that began with `BEGIN`. After a sync, the server also limits how long this
        // transaction may be idle.
        if opening.isEmpty { try connection.request() } else { try connection.sync() }
    }

    private func receive() throws(DataStoreError) -> QueryResult {
        if !hasBegun { for _ in opening { _ = try connection.result() } }
        let result = try connection.result()
        isAnswered = true
        return result
    }

    /// Receives the answers to the first `count` prefetched queries. The server answers in the order of the statements,
    /// so these answers arrive before the answer to any later statement.
    private func receivePrefetched(_ count: Int) throws(DataStoreError) {
        for index in 0..<count where prefetched[index].answer == nil { prefetched[index].answer = try receive() }
    }

    /// Ends a transaction that reads. The function waits for the server only if a prefetched query has not been
    /// answered.
    func end() {
        do throws(DataStoreError) {
            if failure != nil, connection.isLost { return }
            // The answer to a prefetched query is discarded.
            try connection.reset()
            // Nothing is sent if the closure has read nothing.
            if hasBegun { try connection.sync() }
        } catch {
            // The connection is lost, and the next transaction opens another one.
            link.discard()
        }
    }

    // MARK: Records

    /// Returns a result with the frame of a key as its only value, or `nil` if the server has no such key.
    ///
    /// - Throws: `DataStoreError`. The code is `corrupted` if several rows have the key.
    func row(of key: Span<UInt8>) throws(DataStoreError) -> QueryResult? {
        let found = try query(.get, [[UInt8](key)])
        guard found.count < 2 else { throw Self.duplicateError([UInt8](key)) }
        return found.count == 1 ? found : nil
    }

    /// Returns the error for a key that the server returned twice or out of order.
    static func duplicateError(_ key: [UInt8]) -> DataStoreError {
        .damaged("the server returned the key \(KeyBytes.text(of: key[...])) twice or out of order")
    }

    /// Passes the id and a view of the record in each row of a scan to `visit`, after verifying the checksum.
    func forEach(
        in scan: Scan, _ visit: (Span<UInt8>, borrowing RecordView) throws(DataStoreError) -> Scan.Step
    ) throws(DataStoreError) {
        var remaining = scan.limit ?? Int.max
        guard remaining > 0 else { return }
        let rows = ServerScan(scan, in: self)
        while let page = try rows.next() {
            remaining -= 1
            if try rows.view(in: page, visit) == .stop || remaining == 0 { return }
        }
    }

    /// Returns the name of the first collection after `name` on the server, or `nil` if no collection follows. If
    /// `name` is `nil`, returns the first collection. Keys that begin with a NUL belong to the library and are skipped.
    func collection(after name: String?) throws(DataStoreError) -> String? {
        let start: [UInt8] = name.map { Array($0.utf8) + [1] } ?? [1]
        // No UTF-8 text contains this byte.
        let end: [UInt8] = [0xFF]
        let found = try query(.ascendingKeys, [start, end, .bigint(1), .bigint(0)])
        guard found.count > 0 else { return nil }
        return try found.with(0, 0) { bytes throws(DataStoreError) in try KeyBytes.key(of: bytes).collection }
    }

    // MARK: Sizes

    /// Collections of up to this number of records are counted. The server estimates larger ones.
    static let maximumExactCount = 10_000

    /// Estimates the number of records in a collection.
    ///
    /// - Returns: The number and whether it is exact, or `nil` if the plan of the server contains no number.
    func estimatedCount(of collection: String) throws(DataStoreError) -> (number: Int, isExact: Bool)? {
        let range = [KeyBytes.prefix(collection), Array(collection.utf8) + [1]]
        let count = Int(try query(.boundedCount, range).integer(0, 0))
        guard count > ServerTransaction.maximumExactCount else { return (count, true) }
        let plan = String(decoding: try query(.estimate, range).bytes(0, 0), as: UTF8.self)
        let number = plan.firstMatch(of: /"Plan Rows": *([0-9]+)/).flatMap { Int($0.1) }
        return number.map { (max($0, count), false) }
    }
}
