import DataStoreSystem
import Synchronization

/// The readers of a store, and a gate that can stop new reads.
///
/// A read acquires a reader that no other thread uses, and then checks the gate. It shares no other state with other
/// reads. A thread that closes the store first closes the gate. The transactions of the readers end when all readers
/// are free.
final class ReaderPool: Sendable {
    private enum Gate: UInt8, AtomicRepresentable {
        case open
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
    private let readers = (0..<ReaderPool.readerCount).map { _ in Reader(isSpare: false) }
    private let state = Mutex(State())

    // MARK: Reads

    /// Acquires a reader with a new snapshot of a store.
    ///
    /// - Parameters:
    ///   - store: The store, which opens its environment if necessary.
    ///   - lockTimeout: The time limit for opening the environment, or `nil` for the limit in the options of the store.
    /// - Returns: The reader, or `nil` if no data file exists yet.
    /// - Throws: `DataStoreError` if the store cannot be opened or read.
    func acquire(for store: LMDBDataStore, lockTimeout: Duration? = nil) throws(DataStoreError) -> Reader? {
        let reader = try occupyReader()
        do throws(DataStoreError) {
            if reader.hasTransaction {
                try reader.renew()
            } else if let environment = try store.opened(create: false, lockTimeout: lockTimeout) {
                try reader.begin(in: environment, verifying: store.options.verifiesPages ? environment.pages : nil)
            } else {
                release(reader)
                return nil
            }
            return reader
        } catch {
            release(reader)
            throw error
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

    @inline(__always)
    private func occupyReader() throws(DataStoreError) -> Reader {
        // Thread identifiers are far apart. The multiplication distributes the threads over the readers.
        let start = Int(truncatingIfNeeded: (UInt64(Thread.current) &* 0x9E37_79B9_7F4A_7C15) >> 32)
        for offset in 0..<ReaderPool.readerCount {
            let reader = readers[(start &+ offset) & (ReaderPool.readerCount - 1)]
            if reader.occupy() { return try admitted(reader) }
        }
        return try occupySpareReader()
    }

    private func occupySpareReader() throws(DataStoreError) -> Reader {
        if gate.load(ordering: .sequentiallyConsistent) == .forked { throw .forked() }
        let reader = state.withLock { state in
            if let reader = state.spareReaders.first(where: { $0.occupy() }) { return reader }
            let reader = Reader(isSpare: true)
            _ = reader.occupy()
            state.spareReaders.append(reader)
            return reader
        }
        return try admitted(reader)
    }

    /// Returns an acquired reader if the gate is open. Otherwise releases it, and throws `DataStoreError` with the code
    /// `closed`.
    @inline(__always)
    private func admitted(_ reader: Reader) throws(DataStoreError) -> Reader {
        switch gate.load(ordering: .sequentiallyConsistent) {
        case .open: return reader
        case .forked: throw .forked()
        case .closed:
            vacate(reader)
            throw .closed()
        }
    }

    private func vacate(_ reader: Reader) {
        reader.vacate()
        // Both sides use sequentially consistent operations. Either this thread sees that the gate is closed, or the
        // thread that closed the gate sees that the reader is free.
        if gate.load(ordering: .sequentiallyConsistent) != .open { finishIfDrained() }
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
        for reader in allReaders() where reader.occupy() {
            // A thread that closes a store ends the transactions of its readers, perhaps at this moment.
            if gate.load(ordering: .sequentiallyConsistent) != .closed { reader.end() }
            vacate(reader)
        }
    }

    private func finishIfDrained() {
        let whenDrained = state.withLock { state -> (@Sendable () -> Void)? in
            guard gate.load(ordering: .sequentiallyConsistent) == .closed, state.whenDrained != nil,
                state.activeCount == 0
            else { return nil }
            let readers = readers + state.spareReaders
            guard !readers.contains(where: \.isOccupied) else { return nil }
            // No other thread can pass the gate now.
            for reader in readers { reader.end() }
            return state.whenDrained.take()
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
