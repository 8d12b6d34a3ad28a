import DataStoreCore
import Synchronization

/// The read transactions of a store: those that wait to be used again, and how many uses of the store are under way.
final class ReaderPool: Sendable {
    private struct State {
        var idle: [Reader] = []
        var activeCount = 0
        var whenDrained: (@Sendable () -> Void)?
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Takes an idle reader, or has one made, and gives it a new snapshot; nil where none can be made yet.
    func take(orMake make: () throws(DataStoreError) -> Reader?) throws(DataStoreError) -> Reader? {
        let idle = try enter(takingReader: true)
        var reader = idle
        do throws(DataStoreError) {
            if reader == nil { reader = try make() }
            guard let reader else {
                leave()
                return nil
            }
            try reader.renew()
            return reader
        } catch {
            leave(with: reader)
            throw error
        }
    }

    /// Begins a use that needs no reader; ``leave()`` ends it.
    func enter() throws(DataStoreError) { _ = try enter(takingReader: false) }

    private func enter(takingReader: Bool) throws(DataStoreError) -> Reader? {
        try state.withLock { state throws(DataStoreError) in
            if state.isClosed { throw .closed() }
            state.activeCount += 1
            return takingReader ? state.idle.popLast() : nil
        }
    }

    /// Takes a reader back.
    func give(_ reader: consuming Reader) {
        reader.reset()
        leave(with: reader)
    }

    /// Refuses further uses, and calls back when those under way are over and the readers are gone: on this thread, or on
    /// the one that ends the last.
    ///
    /// - Returns: whether the pool was open. A closed one calls nobody.
    func close(whenDrained: @escaping @Sendable () -> Void) -> Bool {
        let (wasOpen, isDrained) = state.withLock { state in
            defer {
                state.isClosed = true
                for reader in state.idle { reader.end() }
                state.idle = []
            }
            if state.isClosed { return (false, false) }
            if state.activeCount > 0 { state.whenDrained = whenDrained }
            return (true, state.activeCount == 0)
        }
        if isDrained { whenDrained() }
        return wasOpen
    }

    /// Ends a use, with the reader it had.
    func leave(with reader: Reader? = nil) {
        let whenDrained = state.withLock { state -> (@Sendable () -> Void)? in
            state.activeCount -= 1
            // Of a closed pool the environment is about to close, too, and a reader must have ended before.
            if let reader { if state.isClosed { reader.end() } else { state.idle.append(reader) } }
            guard state.isClosed, state.activeCount == 0 else { return nil }
            defer { state.whenDrained = nil }
            return state.whenDrained
        }
        whenDrained?()
    }
}
