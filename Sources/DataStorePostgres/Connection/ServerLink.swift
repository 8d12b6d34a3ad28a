import DataStoreCore
import DataStoreFiles

/// The connection of a reader or of the writer, which is established when it is needed, and again after it was lost.
/// One thread at a time uses it.
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

    /// Returns the connection. If none is open, connects until a server accepts or the deadline has passed.
    ///
    /// - Throws: `DataStoreError` if no server accepted, or at once if another attempt would not help.
    func connected(until deadline: ContinuousClock.Instant) throws(DataStoreError) -> Connection {
        if let connection, !connection.isLost { return connection }
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

/// Pauses between attempts, which become longer and have a random length, so that programs that wait for each other do
/// not meet again.
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
