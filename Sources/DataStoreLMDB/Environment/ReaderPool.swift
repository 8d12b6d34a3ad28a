import DataStoreCore
import DataStoreFiles
import Synchronization

/// The uses of a store that are under way, and its places for reads.
///
/// A read takes a place that no other thread writes to and looks at the gate; that is all it shares. Whoever wants to
/// change what reads rely on closes the gate first and then waits until every place is free.
final class ReaderPool: Sendable {
    private enum Gate: UInt8, AtomicRepresentable {
        case open
        /// The map is about to change.
        case paused
        /// The store was closed.
        case closed
        /// This is a child of the process that opened the store.
        case forked
    }

    private struct State {
        /// Beyond the first places; most programs never need one.
        var spareReaders: [Reader] = []
        var activeCount = 0
        var whenDrained: (@Sendable () -> Void)?
    }

    private static let readerCount = 32

    private let gate = Atomic<Gate>(.open)
    private let readers: [Reader]
    private let state = Monitor(State())

    init() { readers = (0..<ReaderPool.readerCount).map { _ in Reader(isSpare: false) } }

    // MARK: Reads

    /// Takes a place and a new snapshot; nil where there is no environment yet. `environment` answers with it.
    func take(
        in environment: () throws(DataStoreError) -> Environment?
    ) throws(DataStoreError) -> Reader? {
        while true {
            let reader = try place()
            do throws(DataStoreError) {
                if reader.hasTransaction {
                    try reader.renew()
                    return reader
                }
                guard let environment = try environment() else {
                    give(reader)
                    return nil
                }
                // It may have been opened only now, while its map is about to change.
                if mayPass(reader) {
                    try reader.adopt(environment.map.beginRead())
                    return reader
                }
                leave(reader)
            } catch  where error.isMapResized {
                // Another process gave the data more room than this one has mapped.
                give(reader)
                guard !readsOnThisThread() else { throw error }
                // No place is taken: the store must not be closed meanwhile.
                try enter()
                defer { leave() }
                try environment()?.map.adopt()
            } catch {
                give(reader)
                throw error
            }
        }
    }

    /// Takes a place back.
    func give(_ reader: Reader) {
        // Where the process forked within a read, the slot is the parent's, which still reads.
        if gate.load(ordering: .sequentiallyConsistent) == .forked { return }
        // Idle ones would keep the slots of a lock file, which all processes share, from being used.
        if reader.isSpare { reader.end() } else { reader.reset() }
        leave(reader)
    }

    /// Runs a closure during which the map stays where it is; again where the map had to follow another process. The
    /// caller has entered.
    func withMap<Result>(
        of environment: Environment, _ body: () throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        while true {
            do throws(DataStoreError) {
                let reader = try place()
                defer { leave(reader) }
                return try body()
            } catch  where error.isMapResized {
                guard !readsOnThisThread() else { throw error }
                try environment.map.adopt()
            }
        }
    }

    /// Whether the gate lets a place through.
    private func mayPass(_ reader: Reader) -> Bool {
        switch gate.load(ordering: .sequentiallyConsistent) {
        case .open: true
        case .paused: reads(on: Thread.current, beside: reader)
        case .closed, .forked: false
        }
    }

    @inline(__always)
    private func place() throws(DataStoreError) -> Reader {
        let thread = Thread.current
        // Threads lie far apart in memory; the product spreads them over the places.
        let start = Int(truncatingIfNeeded: (UInt64(thread) &* 0x9E37_79B9_7F4A_7C15) >> 32)
        for offset in 0..<ReaderPool.readerCount {
            let reader = readers[(start &+ offset) & (ReaderPool.readerCount - 1)]
            guard reader.occupy(by: thread) else { continue }
            return gate.load(ordering: .sequentiallyConsistent) == .open ? reader : try passGate(reader, thread)
        }
        return try sparePlace(thread)
    }

    private func sparePlace(_ thread: UInt) throws(DataStoreError) -> Reader {
        if gate.load(ordering: .sequentiallyConsistent) == .forked { throw .forked() }
        let reader = state.withLock { state in
            if let reader = state.spareReaders.first(where: { $0.occupy(by: thread) }) { return reader }
            let reader = Reader(isSpare: true)
            _ = reader.occupy(by: thread)
            state.spareReaders.append(reader)
            return reader
        }
        return gate.load(ordering: .sequentiallyConsistent) == .open ? reader : try passGate(reader, thread)
    }

    /// Waits until the gate opens. A read within a read goes on: who waits for the outer one waits for both.
    private func passGate(_ reader: Reader, _ thread: UInt) throws(DataStoreError) -> Reader {
        while true {
            switch gate.load(ordering: .sequentiallyConsistent) {
            case .open: return reader
            case .forked: throw .forked()
            case .closed:
                leave(reader)
                throw .closed()
            case .paused:
                if reads(on: thread, beside: reader) { return reader }
                leave(reader)
                state.wait { _ in gate.load(ordering: .sequentiallyConsistent) == .paused ? nil : () }
                guard reader.occupy(by: thread) else { return try place() }
            }
        }
    }

    private func leave(_ reader: Reader) {
        reader.vacate()
        // Sequentially consistent on both sides: either this sees a gate that is not open, or who closed it sees the
        // place free.
        if gate.load(ordering: .sequentiallyConsistent) != .open { noticeDrained() }
    }

    private func readsOnThisThread() -> Bool { reads(on: Thread.current, beside: nil) }

    /// Whether a thread reads the file already, through whichever store.
    private func reads(on thread: UInt, beside other: Reader?) -> Bool {
        EnvironmentRegistry.shared.pools(beside: self).contains { pool in
            pool.allReaders().contains { $0 !== other && $0.isOccupied(by: thread) }
        }
    }

    private func allReaders() -> [Reader] { readers + state.withLock(\.spareReaders) }

    // MARK: Other uses

    /// Begins a use that needs no place, e.g. a write; ``leave()`` ends it.
    func enter() throws(DataStoreError) {
        if gate.load(ordering: .sequentiallyConsistent) == .forked { throw .forked() }
        try state.withLock { state throws(DataStoreError) in
            if gate.load(ordering: .sequentiallyConsistent) == .closed { throw .closed() }
            state.activeCount += 1
        }
    }

    /// Ends a use.
    func leave() {
        state.withLock { $0.activeCount -= 1 }
        if gate.load(ordering: .sequentiallyConsistent) != .open { noticeDrained() }
    }

    // MARK: The gate

    /// Makes reads that come wait at the gate, until ``resume()``.
    func pause() { _ = gate.compareExchange(expected: .open, desired: .paused, ordering: .sequentiallyConsistent) }

    /// Waits until no place is taken. The gate must not be open.
    func waitUntilNoneReads() {
        state.wait { state in (readers + state.spareReaders).contains(where: \.isOccupied) ? nil : () }
    }

    /// Lets the reads go on that wait at the gate.
    func resume() {
        _ = gate.compareExchange(expected: .paused, desired: .open, ordering: .sequentiallyConsistent)
        state.change { _ in }
    }

    /// Refuses further uses, and calls back when those under way are over and the transactions are gone: on this
    /// thread, or on the one that ends the last.
    ///
    /// - Returns: whether the store was open. A closed one calls nobody.
    func close(whenDrained: @escaping @Sendable () -> Void) -> Bool {
        // In a child nothing is let go of: it is the parent's. (And the lock may be held by a thread that is not
        // there.)
        if gate.load(ordering: .sequentiallyConsistent) == .forked { return false }
        let wasOpen = state.withLock { state in
            guard gate.exchange(.closed, ordering: .sequentiallyConsistent) != .closed else { return false }
            state.whenDrained = whenDrained
            return true
        }
        if wasOpen { noticeDrained() }
        return wasOpen
    }

    /// Refuses everything in a child process: its reads and writes would be taken for those of the parent.
    func refuseFork() { gate.store(.forked, ordering: .sequentiallyConsistent) }

    /// Frees the slots that idle reads keep in the lock file.
    func endIdle() {
        for reader in allReaders() where reader.occupy(by: Thread.current) {
            // Those of a store that was closed are ended by who closed it, perhaps at this moment.
            if gate.load(ordering: .sequentiallyConsistent) != .closed { reader.end() }
            leave(reader)
        }
    }

    private func noticeDrained() {
        // With the lock taken and given back, who waits for the places looks again.
        let whenDrained = state.change { state -> (@Sendable () -> Void)? in
            guard gate.load(ordering: .sequentiallyConsistent) == .closed, state.whenDrained != nil,
                state.activeCount == 0
            else { return nil }
            let readers = readers + state.spareReaders
            guard !readers.contains(where: \.isOccupied) else { return nil }
            // Nobody gets through the gate any more.
            for reader in readers { reader.end() }
            defer { state.whenDrained = nil }
            return state.whenDrained
        }
        whenDrained?()
    }

    /// Whether nothing can be used any more.
    var isClosed: Bool { gate.load(ordering: .relaxed) == .closed }

    /// Which readers are occupied, and with which use.
    func usesUnderWay() -> [(reader: ObjectIdentifier, use: UInt64)] {
        allReaders().compactMap { reader in reader.use.map { (ObjectIdentifier(reader), $0) } }
    }
}
