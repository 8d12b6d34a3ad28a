import DataStoreSystem
import Synchronization

/// The connection of a reader or of the writer during a call. It is taken from the idle connections of the store or
/// opened, and replaced if it is lost. Only one thread uses it at a time.
final class ServerLink {
    let connections: Connections
    private let isWriting: Bool
    private var connection: Connection?
    /// The next read, if its first statement was sent in advance.
    var begun: ServerTransaction?

    init(_ connections: Connections, isWriting: Bool = false) {
        self.connections = connections
        self.isWriting = isWriting
    }

    /// Returns the connection or an idle one, or `nil` if none is open. The caller waits for answers until shortly
    /// after a deadline.
    private func current(until deadline: ContinuousClock.Instant) -> Connection? {
        if connection?.isLost != false { connection = connections.take(isWriting: isWriting) }
        guard let connection, !connection.isLost else { return nil }
        connection.deadline = deadline + PostgresDataStore.Options.lastAnswerTimeout
        return connection
    }

    /// Returns the connection like ``current(until:)``. If none is open, tries to connect until a server accepts or the
    /// deadline has passed. If the store did not exist when it was last looked up, looks it up again.
    ///
    /// - Parameters:
    ///   - deadline: The deadline of the call.
    ///   - retrying: Whether to try again if no server accepts.
    /// - Returns: The connection.
    /// - Throws: `DataStoreError` if no server accepts in time. If a retry cannot help, throws the error at once.
    func connected(
        until deadline: ContinuousClock.Instant, retrying: Bool = true
    ) throws(DataStoreError) -> Connection {
        let end = deadline + PostgresDataStore.Options.lastAnswerTimeout
        var backoff = Backoff()
        while true {
            do throws(DataStoreError) {
                let usable =
                    if let current = current(until: deadline) { current } else {
                        try Connection.open(connections.target, connections.options, until: end)
                    }
                connection = usable
                if usable.format == nil { try usable.describe(connections.target.schema) }
                return usable
            } catch {
                discard()
                guard retrying, error.server?.isTransient == true, backoff.wait(until: deadline) else { throw error }
            }
        }
    }

    /// Whether the link has a connection, which may be lost.
    var isConnected: Bool { connection != nil }

    /// Returns the connection to the idle connections. No transaction may be open.
    func release() {
        if let connection, !connection.isLost { connections.add(connection) }
        connection = nil
    }

    /// Closes the connection.
    func discard() { connection = nil }
}

/// The server, the options and the open connections of a store. Readers and the writer take the connections that no
/// call uses from here, so a program that does one thing at a time needs one connection.
///
/// A call never waits for a second connection while it holds one. Programs that share a pooler with few connections
/// would otherwise wait for each other.
final class Connections: Sendable {
    let target: ConnectionTarget
    let options: PostgresDataStore.Options
    /// The connections that no call uses, or `nil` if the store is closed.
    private let idle = Mutex<[Connection]?>([])

    init(_ target: ConnectionTarget, _ options: PostgresDataStore.Options) {
        (self.target, self.options) = (target, options)
    }

    /// Removes the connection that was used last.
    ///
    /// - Parameter isWriting: Whether to prefer a connection that has acquired a row of the table `writers`. Otherwise,
    ///   one without a row is preferred.
    /// - Returns: The connection, or `nil` if none is open.
    func take(isWriting: Bool) -> Connection? {
        idle.withLock { idle in
            let index = idle?.lastIndex { ($0.slot != nil) == isWriting }
            return index.flatMap { idle?.remove(at: $0) } ?? idle?.popLast()
        }
    }

    /// Adds a connection, or closes it if the store is closed. No transaction may be open.
    func add(_ connection: Connection) { idle.withLock { $0?.append(connection) } }

    /// Closes all connections, and each later one when it is added.
    func close() {
        // Connections are released outside the lock, because closing one may take a while.
        let connections = idle.withLock { exchange(&$0, with: nil) }
        withExtendedLifetime(connections) {}
    }
}

/// The pauses between attempts. The length of each pause is random, so that programs whose transactions conflict do not
/// retry at the same time. The maximum length doubles after each attempt, up to 250 milliseconds.
struct Backoff {
    private var milliseconds = 1

    /// Waits before the next attempt.
    ///
    /// - Returns: Whether an attempt is possible before the deadline.
    mutating func wait(until deadline: ContinuousClock.Instant) -> Bool {
        let pause = Int.random(in: 0...milliseconds)
        guard .now + .milliseconds(pause) < deadline else { return false }
        if pause > 0 { Thread.sleep(milliseconds: pause) }
        milliseconds = min(milliseconds * 2, 250)
        return true
    }
}

/// The reads of a store. Each of them takes a connection, and returns it at its end.
extension ServerLink {
    /// Returns whether the store exists, after one attempt to connect.
    func exists(until deadline: ContinuousClock.Instant) throws(DataStoreError) -> Bool {
        defer { release() }
        return try connected(until: deadline, retrying: false).format != nil
    }

    /// Begins the next read by requesting the record of a key. The function does not wait for the server. If no
    /// connection is open, it does nothing.
    func prefetch(_ key: Key, until deadline: ContinuousClock.Instant) {
        guard let connection = current(until: deadline), connection.format != nil else { return }
        let reader = ServerTransaction(self, connection, deadline: deadline)
        reader.prefetchRecord(for: key)
        begun = reader
    }

    /// Runs a closure on a snapshot of the store. If the store does not exist, the snapshot is empty.
    func read<Result>(
        until deadline: ContinuousClock.Instant, _ body: (borrowing ReadTransaction) throws -> Result
    ) throws -> Result {
        defer { release() }
        guard let reader = try begun.take() ?? reader(until: deadline) else {
            return try body(ReadTransaction(RecordTreeTransaction(RecordTree())))
        }
        defer { reader.end() }
        return try body(ReadTransaction(reader))
    }

    private func reader(until deadline: ContinuousClock.Instant) throws(DataStoreError) -> ServerTransaction? {
        let connection = try connected(until: deadline)
        return connection.format.map { _ in ServerTransaction(self, connection, deadline: deadline) }
    }

    /// Returns the sum of the generations of all writers, or 0 if the store does not exist.
    func generation(until deadline: ContinuousClock.Instant) throws(DataStoreError) -> UInt64 {
        defer { release() }
        guard let reader = try reader(until: deadline) else { return 0 }
        defer { reader.end() }
        let found = try reader.query(.generation, [])
        return UInt64(bitPattern: found.count > 0 ? found.integer(0, 0) : 0)
    }
}
