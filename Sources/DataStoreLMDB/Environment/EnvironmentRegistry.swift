import DataStoreCore
import DataStoreFiles

/// The environments that are open in this process, at most one for each data file.
///
/// LMDB locks with `fcntl`, and these locks belong to the process. If a file were open twice, closing one descriptor
/// would release the locks of the other. The registry is therefore shared by the whole process. Its lock is not held
/// while a file is opened or while the process waits for another process. Opening a store therefore delays neither
/// other stores nor `fork`.
final class EnvironmentRegistry: Sendable {
    static let shared = EnvironmentRegistry()

    private struct Entry {
        let environment: Environment
        /// The pools of the stores that use the environment.
        var pools: [ReaderPool]
        /// Whether its map is about to change.
        var isPaused = false
    }

    private struct State {
        var entries: [FileID: Entry] = [:]
        /// The directories in which an environment is being opened, with the pool of the opening store.
        var opening: [FileID: ReaderPool] = [:]
        /// The environments that a child process inherited. They are never closed, because that would harm the parent.
        var inherited: [Entry] = []
    }

    /// The next step of a thread that opens a store.
    private enum Step {
        case use(Environment)
        case open
        /// Another thread opens or closes the environment.
        case wait
        /// A store of this process still has the lock file open, with a data file that has been replaced.
        case conflict
    }

    private let state = Monitor(State())

    private init() {
        // The Swift runtime looks up types under a lock when code runs first. In a child, the lock may belong to a
        // thread that does not exist there, so the code of the child runs once before any fork.
        rejectInherited()
        // The lock is held while the process forks, so that the child finds a consistent state and can continue.
        ForkWatch.onFork(
            prepare: { EnvironmentRegistry.shared.state.lock() },
            parent: { EnvironmentRegistry.shared.state.unlock() },
            child: {
                EnvironmentRegistry.shared.state.unlock()
                EnvironmentRegistry.shared.rejectInherited()
            })
    }

    /// Returns the environment of a directory for the store of a pool: the open one, or a new one.
    func open(
        _ directory: Directory, _ options: LMDBDataStore.Options, for pool: ReaderPool
    ) throws(DataStoreError) -> Environment {
        let id = try directory.status().id
        let deadline = ContinuousClock.now + options.lockTimeout * 10
        while true {
            let data = try directory.status(of: StoreFiles.dataName)?.id
            let lock = try directory.status(of: StoreFiles.lockName)?.id
            switch nextStep(data: data, lock: lock, directory: id, pool) {
            case .use(let environment):
                try prepare(environment, for: pool, options)
                return environment
            case .open:
                let environment = try openNew(directory, id, options, pool)
                try prepare(environment, for: pool, options)
                return environment
            case .conflict:
                throw DataStoreError(
                    .busy,
                    "its data.mdb was replaced while open in this process; close its stores and retry")
            case .wait:
                // The wait times out to look up the data file again, which may have been removed or replaced meanwhile.
                _ = state.wait(atMost: .milliseconds(100)) { state -> Void? in
                    let isClosing = data.flatMap { state.entries[$0]?.pools.isEmpty } ?? false
                    return isClosing || state.opening[id] != nil ? nil : ()
                }
                guard ContinuousClock.now < deadline else {
                    throw DataStoreError(.busy, "another thread has been opening or closing it for too long; retry")
                }
            }
        }
    }

    /// Runs a closure while no thread of this process has the store in a directory open, or opens it.
    ///
    /// - Throws: `DataStoreError` with the code `busy` if a thread has it open; what the closure throws.
    func whileClosed(_ directory: Directory, _ body: () throws -> Void) throws {
        let id = try directory.status().id
        let data = try directory.status(of: StoreFiles.dataName)?.id
        let lock = try directory.status(of: StoreFiles.lockName)?.id
        let isClosed = state.withLock { state in
            let isOpen = state.entries.values.contains { entry in
                entry.environment.files.dataID == data || entry.environment.files.lockID == lock
            }
            guard !isOpen, state.opening[id] == nil else { return false }
            state.opening[id] = ReaderPool()
            return true
        }
        guard isClosed else {
            throw DataStoreError(.busy, "this process has it open; close its stores and retry")
        }
        defer { state.change { $0.opening[id] = nil } }
        try body()
    }

    private func nextStep(data: FileID?, lock: FileID?, directory: FileID, _ pool: ReaderPool) -> Step {
        state.withLock { state in
            if let data, let entry = state.entries[data] {
                guard !entry.pools.isEmpty else { return .wait }
                if entry.isPaused { pool.pause() }
                state.entries[data]?.pools.append(pool)
                return .use(entry.environment)
            }
            // Opening and closing the lock file a second time would release the locks of liblmdb.
            if let lock, let entry = state.entries.values.first(where: { $0.environment.files.lockID == lock }) {
                return entry.pools.isEmpty ? .wait : .conflict
            }
            guard state.opening[directory] == nil else { return .wait }
            state.opening[directory] = pool
            return .open
        }
    }

    private func openNew(
        _ directory: Directory, _ id: FileID, _ options: LMDBDataStore.Options, _ pool: ReaderPool
    ) throws(DataStoreError) -> Environment {
        do throws(DataStoreError) {
            let environment = try Environment(directory, options)
            state.change { state in
                state.opening[id] = nil
                state.entries[environment.map.file] = Entry(environment: environment, pools: [pool])
            }
            return environment
        } catch {
            state.change { $0.opening[id] = nil }
            throw error
        }
    }

    private func prepare(
        _ environment: Environment, for pool: ReaderPool, _ options: LMDBDataStore.Options
    ) throws(DataStoreError) {
        do throws(DataStoreError) {
            try environment.use(by: pool, options)
        } catch {
            release(environment, of: pool, whenDone: {})
            pool.resume()
            throw error
        }
    }

    /// Releases an environment. The last user's release closes it, after pending reads and writes finish.
    func release(_ environment: Environment, of pool: ReaderPool, whenDone: @escaping @Sendable () -> Void) {
        let file = environment.map.file
        let isLast = state.withLock { state in
            state.entries[file]?.pools.removeAll { $0 === pool }
            return state.entries[file]?.pools.isEmpty == true
        }
        guard isLast else { return whenDone() }
        environment.drain { [self] in
            // The lock is held, so that no thread opens the file before it is closed.
            state.change { state in
                environment.close()
                state.entries[file] = nil
            }
            whenDone()
        }
    }

    /// Returns the pools of all stores that use the same file as the store of a pool, including that pool.
    func pools(beside pool: ReaderPool) -> [ReaderPool] {
        state.withLock { state in
            state.entries.values.first { $0.pools.contains { $0 === pool } }?.pools ?? [pool]
        }
    }

    /// Returns the pools of the stores that use a file.
    func pools(of file: FileID) -> [ReaderPool] { state.withLock { $0.entries[file]?.pools ?? [] } }

    /// Runs a closure while no thread of this process reads a file.
    func pausingReads(of file: FileID, _ body: () throws(DataStoreError) -> Void) throws(DataStoreError) {
        let pools = setPaused(true, file)
        defer { for pool in setPaused(false, file) { pool.resume() } }
        for pool in pools { pool.pause() }
        for pool in pools { pool.waitForReaders() }
        try body()
    }

    private func setPaused(_ isPaused: Bool, _ file: FileID) -> [ReaderPool] {
        state.withLock { state in
            state.entries[file]?.isPaused = isPaused
            return state.entries[file]?.pools ?? []
        }
    }

    /// Rejects, in a child process, every use of the environments that the parent has open.
    private func rejectInherited() {
        state.withLock { state in
            for entry in state.entries.values {
                for pool in entry.pools { pool.rejectFork() }
                // Otherwise the child would keep the locks of its parent after the parent is killed.
                entry.environment.files.data.detach()
            }
            state.inherited += state.entries.values
            state.entries = [:]
            // The threads that were opening them do not exist in the child.
            for pool in state.opening.values { pool.rejectFork() }
            state.opening = [:]
        }
    }
}
