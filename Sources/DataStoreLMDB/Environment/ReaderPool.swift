import DataStoreCore
import DataStoreSystem
import Synchronization

/// The readers of a store, and a gate that can stop new reads.
///
/// A read acquires a reader that no other thread uses, and then checks the gate. It shares no other state with other
/// reads. A thread that changes something that reads use, e.g. the memory map, first closes the gate and then waits
/// until every reader is free.
final class ReaderPool: Sendable {
    private enum Gate: UInt8, AtomicRepresentable {
        case open
        /// New reads wait, because the memory map is about to change.
        case paused
        /// New reads fail, because the store was closed.
        case closed
        /// New reads fail, because this process is a child of the process that opened the store.
        case forked
    }

    private struct State {
        /// Additional readers, which are created when all regular readers are in use. Most programs never need one.
        var spareReaders: [Reader] = []
        var activeCount = 0
        var whenDrained: (@Sendable () -> Void)?
    }

    private static let readerCount = 32

    private let gate = Atomic<Gate>(.open)
    private let readers: [Reader]
    private let state = Monitor(State())

    /// Whether reads verify every page before they use it.
    private let verifiesPages: Bool

    init(verifiesPages: Bool = false) {
        self.verifiesPages = verifiesPages
        readers = (0..<ReaderPool.readerCount).map { _ in Reader(isSpare: false) }
    }

    // MARK: Reads

    /// Acquires a reader with a new snapshot of a store.
    ///
    /// - Parameters:
    ///   - store: The store, which opens its environment if necessary.
    ///   - lockTimeout: The time limit for opening the environment, or `nil` for the limit in the options of the store.
    /// - Returns: The reader, or `nil` if no data file exists yet.
    /// - Throws: `DataStoreError` if the store cannot be opened or read.
    func acquire(for store: LMDBDataStore, lockTimeout: Duration? = nil) throws(DataStoreError) -> Reader? {
        func environment() throws(DataStoreError) -> Environment? {
            try store.opened(create: false, lockTimeout: lockTimeout)
        }
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
                // The environment may have been opened just now, while its memory map is about to change.
                if isAdmitted(reader) {
                    try reader.begin(in: environment.map, verifying: verifiesPages ? environment.pageFile() : nil)
                    return reader
                }
                vacate(reader)
            } catch  where error.isMapResized {
                // Another process has enlarged the data beyond the memory map of this process.
                release(reader)
                try adopt(environment, after: error)
            } catch {
                release(reader)
                throw error
            }
        }
    }

    /// Ends the read of a reader, and releases the reader for other threads.
    func release(_ reader: Reader) {
        // If the process forked during a read, the reader slot belongs to the parent, which is still reading.
        if gate.load(ordering: .sequentiallyConsistent) == .forked { return }
        // An idle spare reader would occupy a slot of the lock file, which all processes share.
        if reader.isSpare { reader.end() } else { reader.reset() }
        vacate(reader)
    }

    /// Runs a closure while the memory map stays in place. If the closure fails because another process has enlarged
    /// the data beyond the map, the map grows and the closure runs again.
    func withMap<Result>(
        of environment: Environment, _ body: () throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        while true {
            do throws(DataStoreError) {
                let reader = try occupyReader()
                defer { vacate(reader) }
                return try body()
            } catch  where error.isMapResized {
                try adopt({ environment }, after: error)
            }
        }
    }

    /// Grows the memory map, because another process has enlarged the data beyond it.
    ///
    /// - Throws: The given error if this thread is reading, because the map cannot grow before the read ends.
    private func adopt(
        _ environment: () throws(DataStoreError) -> Environment?, after error: DataStoreError
    ) throws(DataStoreError) {
        guard !reads(on: Thread.current, beside: nil) else { throw error }
        // This thread holds no reader, so only this use prevents the store from closing.
        try beginUse()
        defer { endUse() }
        try environment()?.map.adopt()
    }

    /// Returns whether a reader may begin a read. While the gate is paused, this requires that the current thread is
    /// already reading the same file with another reader.
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
        // Thread identifiers are far apart. The multiplication distributes the threads over the readers.
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

    /// Waits until the gate is open, and returns the reader. Returns another reader if a different thread has acquired
    /// the given one meanwhile.
    ///
    /// A read within another read of the same thread does not wait. Otherwise it would wait forever, because the gate
    /// opens only after the outer read has finished.
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
        // Both sides use sequentially consistent operations. Either this thread sees that the gate is closed, or the
        // thread that closed the gate sees that the reader is free.
        if gate.load(ordering: .sequentiallyConsistent) != .open { finishIfDrained() }
    }

    /// Returns whether a thread already uses a reader of the data file of this pool, in any store of this process. The
    /// reader `other` does not count.
    private func reads(on thread: UInt, beside other: Reader?) -> Bool {
        EnvironmentRegistry.shared.pools(beside: self).contains { pool in
            pool.allReaders().contains { $0 !== other && $0.isOccupied(by: thread) }
        }
    }

    private func allReaders() -> [Reader] { readers + state.withLock(\.spareReaders) }

    // MARK: Other uses

    /// Registers a use of the store that needs no reader, e.g. a write. The store is not closed before ``endUse()`` is
    /// called.
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

    /// Makes new reads wait until ``resume()`` is called. If the store is closed, this function has no effect.
    func pause() { _ = gate.compareExchange(expected: .open, desired: .paused, ordering: .sequentiallyConsistent) }

    /// Makes new reads of several pools wait, waits until all of their readers are free, and then ends the
    /// transactions.
    static func pause(_ pools: [ReaderPool]) {
        for pool in pools { pool.pause() }
        for pool in pools { pool.waitForReaders() }
        for pool in pools { pool.endTransactions() }
    }

    private func waitForReaders() {
        state.wait { state in (readers + state.spareReaders).contains(where: \.isOccupied) ? nil : () }
    }

    private func endTransactions() {
        for reader in allReaders() {
            // A thread that has just begun to read may hold the reader until it notices the pause.
            state.wait { _ in reader.occupy(by: Thread.current) ? () : nil }
            reader.end()
            vacate(reader)
        }
    }

    /// Ends the pause that ``pause()`` began, and resumes the waiting reads.
    func resume() {
        _ = gate.compareExchange(expected: .paused, desired: .open, ordering: .sequentiallyConsistent)
        state.change { _ in }
    }

    /// Rejects further uses of the store. Calls `whenDrained` after active uses have finished and the read transactions
    /// have ended. `whenDrained` runs on the current thread, or on the thread that ends the last use.
    ///
    /// - Returns: Whether the store was open. If it was already closed, or was opened by a parent process,
    ///   `whenDrained` is not called.
    func close(whenDrained: @escaping @Sendable () -> Void) -> Bool {
        // A child process releases nothing, because everything belongs to the parent. In the child, the lock of
        // `state` may also be held by a thread that does not exist there.
        if gate.load(ordering: .sequentiallyConsistent) == .forked { return false }
        let wasOpen = state.withLock { state in
            guard gate.exchange(.closed, ordering: .sequentiallyConsistent) != .closed else { return false }
            state.whenDrained = whenDrained
            return true
        }
        if wasOpen { finishIfDrained() }
        return wasOpen
    }

    /// Makes a child process reject every use of the store, because the child would use the reader slots and locks of
    /// its parent. In the parent, the function has no effect.
    func rejectFork(_ isChild: Bool) {
        if isChild {
            gate.store(.forked, ordering: .sequentiallyConsistent)
        } else {
            _ = gate.load(ordering: .sequentiallyConsistent)
        }
    }

    /// Ends the transactions of idle readers, which frees their slots in the lock file.
    func endIdleReaders() {
        for reader in allReaders() where reader.occupy(by: Thread.current) {
            // A thread that closes a store ends the transactions of its readers, perhaps at this moment.
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
            // No other thread can pass the gate now.
            for reader in readers { reader.end() }
            defer { state.whenDrained = nil }
            return state.whenDrained
        }
        whenDrained?()
    }

    /// Whether the store has been closed.
    var isClosed: Bool { gate.load(ordering: .relaxed) == .closed }

    /// Returns the readers in use, each with a number that identifies its current use.
    func activeUses() -> [(reader: ObjectIdentifier, use: UInt64)] {
        allReaders().compactMap { reader in reader.use.map { (ObjectIdentifier(reader), $0) } }
    }
}
