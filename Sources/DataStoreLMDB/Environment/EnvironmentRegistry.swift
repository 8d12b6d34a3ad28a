import DataStoreSystem

/// The environments that are open in this process, at most one for each data file.
///
/// liblmdb locks with `fcntl`, and these locks belong to the process. If a file were open twice, closing one descriptor
/// would release the locks of the other. Therefore the whole process shares one registry. Its lock is not held while a
/// file is opened or while a thread waits for another process. Opening a store therefore delays neither other stores
/// nor `fork`.
final class EnvironmentRegistry: Sendable {
    static let shared = EnvironmentRegistry()

    /// An environment, and the reader pools of the stores that use it.
    private typealias Entry = (environment: Environment, pools: [ReaderPool])

    private struct State {
        var entries: [FileID: Entry] = [:]
        /// The directories in which an environment is being opened, each with the reader pool of the opening store.
        var opening: [FileID: ReaderPool] = [:]
        /// The environments that a child process inherited. They are never closed, because closing them would affect
        /// the parent.
        var inherited: [Entry] = []
    }

    /// The next step of a thread that opens a store.
    private enum Step {
        case use(Environment)
        case open, wait
    }

    private let state = Monitor(State())

    private init() {
        // A child process has a copy of its parent's memory, in which an environment looks open. However, the child has
        // neither the threads of its parent nor the locks of liblmdb, which belong to one process.
        //
        // The lock is held while the process forks, so that the child finds a consistent state and can continue. The
        // call fails only if there is no memory for three pointers.
        pthread_atfork(
            {
                EnvironmentRegistry.shared.rejectInherited(isChild: false)
                EnvironmentRegistry.shared.state.lock()
            },
            { EnvironmentRegistry.shared.state.unlock() },
            {
                EnvironmentRegistry.shared.state.unlock()
                EnvironmentRegistry.shared.rejectInherited(isChild: true)
            })
    }

    /// Returns the environment of a directory, and opens it if it is not open in this process. The reader pool belongs
    /// to the calling store.
    func open(
        _ directory: Directory, _ options: LMDBDataStore.Options, for pool: ReaderPool
    ) throws(DataStoreError) -> Environment {
        let id = try directory.status().id
        let deadline = ContinuousClock.now + options.lockTimeout * 10
        while true {
            // The files may have been removed or replaced during a wait.
            let data = try directory.status(of: StoreFiles.dataName)?.id
            let lock = try directory.status(of: StoreFiles.lockName)?.id
            switch try nextStep(data: data, lock: lock, directory: id, pool) {
            case .use(let environment): return environment
            case .open:
                defer { state.withLock { $0.opening[id] = nil } }
                let environment = try Environment(directory, options)
                state.withLock { $0.entries[environment.files.dataID] = (environment, [pool]) }
                return environment
            case .wait: Thread.sleep(milliseconds: 1)
            }
            guard ContinuousClock.now < deadline else {
                throw DataStoreError(.busy, "another thread is still opening or closing the store; retry")
            }
        }
    }

    /// Runs a closure while no store of this process uses a directory. A thread that opens a store in the directory
    /// waits until the closure has returned.
    ///
    /// - Throws: `DataStoreError` with the code `busy` if this process has the store open or is opening it, or the
    ///   error of the closure.
    func whileClosed<Result>(_ directory: Directory, _ body: () throws -> Result) throws -> Result {
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
        guard isClosed else { throw DataStoreError(.busy, "this process has it open; close its stores and retry") }
        defer { state.withLock { $0.opening[id] = nil } }
        return try body()
    }

    /// Adds a pool to the environment if it is open. Otherwise reserves the directory for the caller to open it, unless
    /// another thread is opening or closing the environment.
    ///
    /// - Throws: `DataStoreError` with the code `busy` if the data file was replaced while a store of this process has
    ///   the lock file open.
    private func nextStep(
        data: FileID?, lock: FileID?, directory: FileID, _ pool: ReaderPool
    ) throws(DataStoreError) -> Step {
        try state.withLock { state throws(DataStoreError) in
            if let data, let entry = state.entries[data] {
                guard !entry.pools.isEmpty else { return .wait }
                state.entries[data]?.pools.append(pool)
                return .use(entry.environment)
            }
            // Opening and closing the lock file a second time would release the locks of liblmdb.
            if let lock, let entry = state.entries.values.first(where: { $0.environment.files.lockID == lock }) {
                if entry.pools.isEmpty { return .wait }
                throw DataStoreError(
                    .busy, "data.mdb was replaced while open in this process; close its stores and retry")
            }
            guard state.opening[directory] == nil else { return .wait }
            state.opening[directory] = pool
            return .open
        }
    }

    /// Releases an environment that the store with the given reader pool no longer uses. If no other store uses the
    /// environment, closes it after pending writes finish, and then calls `whenDone`. Otherwise calls `whenDone` at
    /// once.
    func release(_ environment: Environment, of pool: ReaderPool, whenDone: @escaping @Sendable () -> Void) {
        let file = environment.files.dataID
        let isLast = state.withLock { state in
            state.entries[file]?.pools.removeAll { $0 === pool }
            return state.entries[file]?.pools.isEmpty == true
        }
        guard isLast else { return whenDone() }
        environment.writer.end { [self] in
            // The lock is held, so that no thread opens the file before it is closed.
            state.withLock { state in
                environment.close()
                state.entries[file] = nil
            }
            whenDone()
        }
    }

    /// Returns the reader pools of the stores that use a data file.
    func pools(of file: FileID) -> [ReaderPool] { state.withLock { $0.entries[file]?.pools ?? [] } }

    /// Makes a child process reject every use of the environments that its parent has open.
    ///
    /// The function runs in the parent before the fork, and then in the child. In the parent, it has no effect on the
    /// environments. It runs there only to make the Swift runtime look up the types that the function uses, so that the
    /// child does not have to look them up. The runtime holds a lock during a lookup. If another thread held this lock
    /// during the fork, a lookup in the child would wait forever.
    ///
    /// - Parameter isChild: Whether this process is the child.
    private func rejectInherited(isChild: Bool) {
        state.withLock { state in
            var rejected = state
            for entry in state.entries.values {
                for pool in entry.pools { pool.rejectFork(isChild) }
                // Without this call, the child would keep the locks of its parent after the parent is killed.
                if isChild { entry.environment.files.data.detach() }
            }
            rejected.inherited += state.entries.values
            rejected.entries = [:]
            // The threads that were opening these stores do not exist in the child.
            for pool in state.opening.values { pool.rejectFork(isChild) }
            rejected.opening = [:]
            if isChild { state = rejected }
        }
    }
}
