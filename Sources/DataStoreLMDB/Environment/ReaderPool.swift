import DataStoreCore
import DataStoreFiles
import Synchronization

/// The active uses of a store, and its readers.
///
/// A read acquires a reader that no other thread writes to, and checks the gate. It shares nothing else with other
/// reads. A thread that changes what reads rely on first closes the gate, and then waits until every reader is free.
final class ReaderPool: Sendable {
    private enum Gate: UInt8, AtomicRepresentable {
        case open
        /// The map is about to change.
        case paused
        /// The store was closed.
        case closed
        /// The process is a child of the one that opened the store.
        case forked
    }

    private struct State {
        /// Readers in addition to the fixed ones. Most programs never need one.
        var spareReaders: [Reader] = []
        var activeCount = 0
        var whenDrained: (@Sendable () -> Void)?
    }

    private static let readerCount = 32

    private let gate = Atomic<Gate>(.open)
    private let readers: [Reader]
    private let state = Monitor(State())

    /// Whether reads verify every page.
    private let verifiesPages: Bool

    init(verifiesPages: Bool = false) {
        self.verifiesPages = verifiesPages
        readers = (0..<ReaderPool.readerCount).map { _ in Reader(isSpare: false) }
    }

    // MARK: Reads

    /// Acquires a reader with a new snapshot. Returns `nil` if `environment` returns none, because no data file exists
    /// yet.
    func acquire(
        in environment: () throws(DataStoreError) -> Environment?
    ) throws(DataStoreError) -> Reader? {
        while true {
            let reader = try occupyReader()
            do throws(DataStoreError) {
                if reader.hasTransaction {
                    try reader.renew()
                    return reader
                }
                guard let environment = try environment() else {
                    release(reader)
                    return nil
                }
                // The environment may have been opened just now, while its map is about to change.
                if isAdmitted(reader) {
                    try reader.begin(in: environment.map, verifying: verifiesPages ? environment.pageFile() : nil)
                    return reader
                }
                vacate(reader)
            } catch  where error.isMapResized {
                // Another process has grown the data beyond the map of this process.
                release(reader)
                guard !readsOnThisThread() else { throw error }
                // No reader is held here, so ``beginUse()`` keeps the store from closing.
                try beginUse()
                defer { endUse() }
                try environment()?.map.adopt()
            } catch {
                release(reader)
                throw error
            }
        }
    }

    /// Releases a reader.
    func release(_ reader: Reader) {
        // If the process forked during a read, the slot belongs to the parent, which is still reading.
        if gate.load(ordering: .sequentiallyConsistent) == .forked { return }
        // An idle spare reader would occupy a slot of the lock file, which all processes share.
        if reader.isSpare { reader.end() } else { reader.reset() }
        vacate(reader)
    }

    /// Runs a closure while the map stays in place. Runs it again if the map had to follow the growth by another
    /// process. The caller has called ``beginUse()``.
    func withMap<Result>(
        of environment: Environment, _ body: () throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        while true {
            do throws(DataStoreError) {
                let reader = try occupyReader()
                defer { vacate(reader) }
                return try body()
            } catch  where error.isMapResized {
                guard !readsOnThisThread() else { throw error }
                try environment.map.adopt()
            }
        }
    }

    /// Returns whether the gate admits a reader.
    private func isAdmitted(_ reader: Reader) -> Bool {
        switch gate.load(ordering: .sequentiallyConsistent) {
        case .open: true
        case .paused: reads(on: Thread.current, beside: reader)
        case .closed, .forked: false
        }
    }

    @inline(__always)
    private func occupyReader() throws(DataStoreError) -> Reader {
        let thread = Thread.current
        // Thread identifiers are far apart. The multiplication distributes them over the readers.
        let start = Int(truncatingIfNeeded: (UInt64(thread) &* 0x9E37_79B9_7F4A_7C15) >> 32)
        for offset in 0..<ReaderPool.readerCount {
            let reader = readers[(start &+ offset) & (ReaderPool.readerCount - 1)]
            guard reader.occupy(by: thread) else { continue }
            return gate.load(ordering: .sequentiallyConsistent) == .open ? reader : try waitForGate(reader, thread)
        }
        return try occupySpareReader(thread)
    }

    private func occupySpareReader(_ thread: UInt) throws(DataStoreError) -> Reader {
        if gate.load(ordering: .sequentiallyConsistent) == .forked { throw .forked() }
        let reader = state.withLock { state in
            if let reader = state.spareReaders.first(where: { $0.occupy(by: thread) }) { return reader }
            let reader = Reader(isSpare: true)
            _ = reader.occupy(by: thread)
            state.spareReaders.append(reader)
            return reader
        }
        return gate.load(ordering: .sequentiallyConsistent) == .open ? reader : try waitForGate(reader, thread)
    }

    /// Waits until the gate admits the reader. A nested read is admitted at once, because a thread that waits for the
    /// outer read waits for both.
    private func waitForGate(_ reader: Reader, _ thread: UInt) throws(DataStoreError) -> Reader {
        while true {
            switch gate.load(ordering: .sequentiallyConsistent) {
            case .open: return reader
            case .forked: throw .forked()
            case .closed:
                vacate(reader)
                throw .closed()
            case .paused:
                if reads(on: thread, beside: reader) { return reader }
                vacate(reader)
                state.wait { _ in gate.load(ordering: .sequentiallyConsistent) == .paused ? nil : () }
                guard reader.occupy(by: thread) else { return try occupyReader() }
            }
        }
    }

    private func vacate(_ reader: Reader) {
        reader.vacate()
        // Sequentially consistent on both sides: either this thread sees that the gate is not open, or the thread that
        // closed it sees that the reader is free.
        if gate.load(ordering: .sequentiallyConsistent) != .open { finishIfDrained() }
    }

    private func readsOnThisThread() -> Bool { reads(on: Thread.current, beside: nil) }

    /// Returns whether a thread is already reading the file, through any store.
    private func reads(on thread: UInt, beside other: Reader?) -> Bool {
        EnvironmentRegistry.shared.pools(beside: self).contains { pool in
            pool.allReaders().contains { $0 !== other && $0.isOccupied(by: thread) }
        }
    }

    private func allReaders() -> [Reader] { readers + state.withLock(\.spareReaders) }

    // MARK: Other uses

    /// Begins a use that needs no reader, such as a write. ``endUse()`` ends it.
    func beginUse() throws(DataStoreError) {
        if gate.load(ordering: .sequentiallyConsistent) == .forked { throw .forked() }
        try state.withLock { state throws(DataStoreError) in
            if gate.load(ordering: .sequentiallyConsistent) == .closed { throw .closed() }
            state.activeCount += 1
        }
    }

    /// Ends a use that ``beginUse()`` began.
    func endUse() {
        state.withLock { $0.activeCount -= 1 }
        if gate.load(ordering: .sequentiallyConsistent) != .open { finishIfDrained() }
    }

    // MARK: The gate

    /// Makes new reads wait at the gate until ``resume()``.
    func pause() { _ = gate.compareExchange(expected: .open, desired: .paused, ordering: .sequentiallyConsistent) }

    /// Waits until all readers are free. The gate must not be open.
    func waitForReaders() {
        state.wait { state in (readers + state.spareReaders).contains(where: \.isOccupied) ? nil : () }
    }

    /// Admits the reads that wait at the gate.
    func resume() {
        _ = gate.compareExchange(expected: .paused, desired: .open, ordering: .sequentiallyConsistent)
        state.change { _ in }
    }

    /// Rejects further uses. Calls `whenDrained` after active uses finish and the read transactions have ended, on this
    /// thread or on the thread that ends the last use.
    ///
    /// - Returns: Whether the store was open. If it was closed before, `whenDrained` is not called.
    func close(whenDrained: @escaping @Sendable () -> Void) -> Bool {
        // A child releases nothing, because everything belongs to the parent. (A thread that does not exist in the
        // child may also hold the lock.)
        if gate.load(ordering: .sequentiallyConsistent) == .forked { return false }
        let wasOpen = state.withLock { state in
            guard gate.exchange(.closed, ordering: .sequentiallyConsistent) != .closed else { return false }
            state.whenDrained = whenDrained
            return true
        }
        if wasOpen { finishIfDrained() }
        return wasOpen
    }

    /// Rejects every use in a child process, whose reads and writes would be mistaken for the parent's. In the parent,
    /// it only reads the state.
    func rejectFork(_ isChild: Bool) {
        if isChild {
            gate.store(.forked, ordering: .sequentiallyConsistent)
        } else {
            _ = gate.load(ordering: .sequentiallyConsistent)
        }
    }

    /// Frees the slots that idle readers occupy in the lock file.
    func endIdleReaders() {
        for reader in allReaders() where reader.occupy(by: Thread.current) {
            // The thread that closes a store ends the transactions of its readers, perhaps at this moment.
            if gate.load(ordering: .sequentiallyConsistent) != .closed { reader.end() }
            vacate(reader)
        }
    }

    private func finishIfDrained() {
        // Changing the state wakes the threads that wait for free readers.
        let whenDrained = state.change { state -> (@Sendable () -> Void)? in
            guard gate.load(ordering: .sequentiallyConsistent) == .closed, state.whenDrained != nil,
                state.activeCount == 0
            else { return nil }
            let readers = readers + state.spareReaders
            guard !readers.contains(where: \.isOccupied) else { return nil }
            // No thread passes the gate any more.
            for reader in readers { reader.end() }
            defer { state.whenDrained = nil }
            return state.whenDrained
        }
        whenDrained?()
    }

    /// Whether the store has been closed.
    var isClosed: Bool { gate.load(ordering: .relaxed) == .closed }

    /// Returns the occupied readers, each with the number of its use.
    func activeUses() -> [(reader: ObjectIdentifier, use: UInt64)] {
        allReaders().compactMap { reader in reader.use.map { (ObjectIdentifier(reader), $0) } }
    }
}
