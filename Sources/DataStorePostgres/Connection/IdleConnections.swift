import Synchronization

/// The open connections of a store that no call uses. Readers and the writer take them from here, so a program that
/// does one thing at a time needs one connection.
///
/// A call never waits for a second connection while it holds one. Programs that share a pooler with few connections
/// would otherwise wait for each other.
final class IdleConnections: Sendable {
    private struct State {
        var connections: [Connection] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Removes the connection that was used last.
    ///
    /// - Parameter isWriting: Whether to prefer a connection that has acquired a row of the table `writers`. Otherwise,
    ///   one without a row is preferred.
    /// - Returns: The connection, or `nil` if none is open.
    func take(isWriting: Bool) -> Connection? {
        state.withLock { state in
            let index = state.connections.lastIndex { ($0.slot != nil) == isWriting }
            return index.map { state.connections.remove(at: $0) } ?? state.connections.popLast()
        }
    }

    /// Adds a connection, or closes it if the store is closed. No transaction may be open.
    func add(_ connection: Connection) {
        state.withLock { state in
            if !state.isClosed { state.connections.append(connection) }
        }
    }

    /// Closes all connections, also those that are added later.
    func close() {
        let connections = state.withLock { state in
            state.isClosed = true
            defer { state.connections = [] }
            return state.connections
        }
        // Connections are released outside the lock, because closing one may take a while.
        withExtendedLifetime(connections) {}
    }
}
