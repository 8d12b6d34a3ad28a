import DataStoreCore
import DataStoreFiles

/// The connection of a reader or of the writer. It is opened when it is first needed, and replaced after it has been
/// lost. Only one thread uses it at a time.
final class ServerLink {
    let target: ConnectionTarget
    let options: PostgresDataStore.Options
    private let purpose: Connection.Purpose
    private var connection: Connection?

    init(_ target: ConnectionTarget, for purpose: Connection.Purpose, _ options: PostgresDataStore.Options) {
        self.target = target
        self.options = options
        self.purpose = purpose
    }

    /// The connection, or `nil` if none is open.
    var current: Connection? { connection.flatMap { $0.isLost ? nil : $0 } }

    /// Returns the connection. If none is open, tries to connect until a server accepts or the deadline has passed.
    ///
    /// - Throws: `DataStoreError` if no server accepts in time. If a retry cannot help, throws the error at once.
    func connected(until deadline: ContinuousClock.Instant) throws(DataStoreError) -> Connection {
        if let current { return current }
        connection = nil
        var backoff = Backoff()
        while true {
            do throws(DataStoreError) {
                let new = try Connection.open(target, for: purpose, options)
                connection = new
                return new
            } catch {
                guard (error.underlying as? PostgresError)?.isTransient == true, backoff.wait(until: deadline) else {
                    throw error
                }
            }
        }
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
