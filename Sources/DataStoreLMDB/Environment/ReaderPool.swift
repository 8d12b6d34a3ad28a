import DataStoreCore
import Synchronization

/// The read transactions that wait to be used again, and how many are in use.
final class ReaderPool: Sendable {
    private struct State {
        var idle: [Reader] = []
        var activeCount = 0
        var whenDrained: (@Sendable () -> Void)?
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Takes an idle reader, or has one made, and gives it a new snapshot.
    func take(orMake make: () throws(DataStoreError) -> Reader) throws(DataStoreError) -> Reader {
        let idle = try state.withLock { state throws(DataStoreError) -> Reader? in
            if state.isClosed { throw .closed() }
            state.activeCount += 1
            return state.idle.popLast()
        }
        do throws(DataStoreError) {
            let reader = if let idle { idle } else { try make() }
            try reader.renew()
            return reader
        } catch {
            leave(with: nil)
            throw error
        }
    }

    /// Takes a reader back.
    func give(_ reader: Reader) {
        reader.reset()
        leave(with: reader)
    }

    /// Refuses to give out more readers, and calls back when those given out are back and all are gone: on this thread
    /// or on the one that gives back the last.
    func close(whenDrained: @escaping @Sendable () -> Void) {
        let isDrained = state.withLock { state in
            state.isClosed = true
            state.idle = []
            if state.activeCount > 0 { state.whenDrained = whenDrained }
            return state.activeCount == 0
        }
        if isDrained { whenDrained() }
    }

    private func leave(with reader: Reader?) {
        let whenDrained = state.withLock { state -> (@Sendable () -> Void)? in
            state.activeCount -= 1
            if !state.isClosed, let reader { state.idle.append(reader) }
            guard state.activeCount == 0 else { return nil }
            defer { state.whenDrained = nil }
            return state.whenDrained
        }
        whenDrained?()
    }
}
