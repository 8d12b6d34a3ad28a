import NIOCore
import Synchronization

/// The open connections of the server.
///
/// Other users of the machine can connect, too. A connection that has not sent the cookie is therefore closed after a
/// short time, or earlier if all connections are in use. Event streams use only a part of the connections, because each
/// stream uses one as long as its page is open.
final class Connections: Sendable {
    static let maximumCount = 100
    static let maximumStreamCount = 50

    /// The time in which a connection must send the cookie.
    private static let strangerTimeout = TimeAmount.seconds(3)

    private struct State {
        /// The connections that have not sent the cookie, the oldest first.
        var strangers: [any Channel] = []
        /// The connections with an event stream, the oldest first.
        var streams: [any Channel] = []
    }

    private let state = Mutex(State())

    /// Adds a new connection.
    func add(_ channel: any Channel) {
        state.withLock { $0.strangers.append(channel) }
        let timeout = channel.eventLoop.scheduleTask(in: Connections.strangerTimeout) {
            if self.state.withLock({ $0.strangers.remove(channel) }) { channel.close(promise: nil) }
        }
        channel.closeFuture.whenComplete { _ in
            timeout.cancel()
            self.state.withLock { state in
                state.strangers.remove(channel)
                state.streams.remove(channel)
            }
        }
    }

    /// Records that a connection has sent the cookie.
    func admit(_ channel: any Channel) { state.withLock { _ = $0.strangers.remove(channel) } }

    /// Records that a connection begins an event stream. If there are too many, the oldest one is closed; its browser
    /// connects again.
    func beginStream(_ channel: any Channel) {
        let oldest: (any Channel)? = state.withLock { state in
            state.streams.remove(channel)
            state.streams.append(channel)
            return state.streams.count > Connections.maximumStreamCount ? state.streams.removeFirst() : nil
        }
        oldest?.close(promise: nil)
    }

    /// Closes the oldest connection that has not sent the cookie.
    func closeOldestStranger() {
        let oldest = state.withLock { $0.strangers.isEmpty ? nil : $0.strangers.removeFirst() }
        oldest?.close(promise: nil)
    }
}

extension [any Channel] {
    @discardableResult
    fileprivate mutating func remove(_ channel: any Channel) -> Bool {
        guard let index = firstIndex(where: { $0 === channel }) else { return false }
        remove(at: index)
        return true
    }
}
