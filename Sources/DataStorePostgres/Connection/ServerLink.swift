import DataStoreCore
import DataStoreSystem

/// The connection of a reader or of the writer during a call. It is taken from the idle connections of the store or
/// opened, and replaced if it is lost. Only one thread uses it at a time.
final class ServerLink {
    let target: ConnectionTarget
    let options: PostgresDataStore.Options
    private let idle: IdleConnections
    private let isWriting: Bool
    private var connection: Connection?

    init(
        _ target: ConnectionTarget, _ options: PostgresDataStore.Options, _ idle: IdleConnections,
        isWriting: Bool = false
    ) {
        self.target = target
        self.options = options
        self.idle = idle
        self.isWriting = isWriting
    }

    /// Returns the connection or an idle one, or `nil` if none is open. The caller waits for answers until shortly
    /// after a deadline.
    func current(until deadline: ContinuousClock.Instant) -> Connection? {
        if connection?.isLost != false { connection = idle.take(isWriting: isWriting) }
        guard let connection, !connection.isLost else { return nil }
        connection.deadline = deadline + PostgresDataStore.Options.lastAnswerTimeout
        return connection
    }

    /// Returns the connection like ``current(until:)``. If none is open, tries to connect until a server accepts or the
    /// deadline has passed.
    ///
    /// - Parameters:
    ///   - deadline: The deadline of the call.
    ///   - retrying: Whether to try again if no server accepts.
    /// - Returns: The connection.
    /// - Throws: `DataStoreError` if no server accepts in time. If a retry cannot help, throws the error at once.
    func connected(
        until deadline: ContinuousClock.Instant, retrying: Bool = true
    ) throws(DataStoreError) -> Connection {
        if let current = current(until: deadline) { return current }
        connection = nil
        let end = deadline + PostgresDataStore.Options.lastAnswerTimeout
        var backoff = Backoff()
        while true {
            do throws(DataStoreError) {
                let new = try Connection.open(target, options, until: end)
                connection = new
                return new
            } catch {
                let isTransient = (error.underlying as? PostgresError)?.isTransient == true
                guard retrying, isTransient, backoff.wait(until: deadline) else { throw error }
            }
        }
    }

    /// Returns the connection to the idle connections. No transaction may be open.
    func release() {
        if let connection, !connection.isLost { idle.add(connection) }
        connection = nil
    }

    /// Closes the connection.
    func discard() { connection = nil }
}

/// The pauses between attempts. The length of each pause is random, so that programs whose transactions conflict do not
/// retry at the same time. The maximum length doubles after each attempt, up to 250 milliseconds.
struct Backoff {
    private var milliseconds = 1

    init() {}

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
