import DataStoreCore
import DataStoreFiles

/// The environments that are open in this process, one a file however often it is opened.
///
/// LMDB locks with `fcntl`, whose locks belong to the process: were a file open twice, closing one would drop the locks
/// of the other. So this one thing has to be known to the whole process.
final class EnvironmentRegistry: Sendable {
    static let shared = EnvironmentRegistry()

    private struct Entry {
        let environment: Environment
        /// Those of the stores that use it.
        var pools: [ReaderPool]
        /// Whether its map is about to change.
        var isPaused = false
    }

    private struct State {
        var entries: [FileSystem.FileID: Entry] = [:]
        /// What a child got from its parent. It is never let go of: to close it would harm the parent.
        var inherited: [Entry] = []
    }

    private let state = Monitor(State())

    private init() {
        // The lock is held while the process forks, so that the child finds the state whole and can go on with it.
        ForkWatch.onFork(
            prepare: { EnvironmentRegistry.shared.state.lock() },
            parent: { EnvironmentRegistry.shared.state.unlock() },
            child: {
                EnvironmentRegistry.shared.state.unlock()
                EnvironmentRegistry.shared.refuseInherited()
            })
    }

    /// The environment of a directory: the one that is open already, or a new one, for the store of the pool.
    func open(
        _ path: String, _ options: LMDBDataStore.Options, for pool: ReaderPool
    ) throws(DataStoreError) -> Environment {
        let dataFile = Environment.dataFile(path)
        while true {
            let environment = try state.withLock { state throws(DataStoreError) -> Environment? in
                if case .file(let file, _) = try FileSystem.entry(at: dataFile), let entry = state.entries[file] {
                    guard !entry.pools.isEmpty else { return nil }
                    if entry.isPaused { pool.pause() }
                    state.entries[file]?.pools.append(pool)
                    return entry.environment
                }
                let environment = try Environment(path: path, options)
                state.entries[environment.map.file] = Entry(environment: environment, pools: [pool])
                return environment
            }
            if let environment {
                do throws(DataStoreError) {
                    try environment.use(by: pool, options)
                    return environment
                } catch {
                    release(environment, of: pool, whenDone: {})
                    pool.resume()
                    throw error
                }
            }
            // Its last user has let go and it is about to close: that needs no one's help but time.
            try waitUntilGone(dataFile)
        }
    }

    /// Lets go of an environment. With its last user it closes, when reads and writes under way are over.
    func release(_ environment: Environment, of pool: ReaderPool, whenDone: @escaping @Sendable () -> Void) {
        let file = environment.map.file
        let isLast = state.withLock { state in
            state.entries[file]?.pools.removeAll { $0 === pool }
            return state.entries[file]?.pools.isEmpty == true
        }
        guard isLast else { return whenDone() }
        environment.drain { [self] in
            // Still under the lock of the registry: nobody may open the file before it is closed.
            state.change { state in
                environment.close()
                state.entries[file] = nil
            }
            whenDone()
        }
    }

    /// The pools of the stores that use the same file as the store of a pool, itself included.
    func pools(beside pool: ReaderPool) -> [ReaderPool] {
        state.withLock { state in
            state.entries.values.first { $0.pools.contains { $0 === pool } }?.pools ?? [pool]
        }
    }

    /// The pools of the stores that use a file.
    func pools(of file: FileSystem.FileID) -> [ReaderPool] { state.withLock { $0.entries[file]?.pools ?? [] } }

    /// Runs a closure while nobody in this process reads a file.
    func pausingReads(
        of file: FileSystem.FileID, _ body: () throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        let pools = setPaused(true, file)
        defer { for pool in setPaused(false, file) { pool.resume() } }
        for pool in pools { pool.pause() }
        for pool in pools { pool.waitUntilNoneReads() }
        try body()
    }

    private func setPaused(_ isPaused: Bool, _ file: FileSystem.FileID) -> [ReaderPool] {
        state.withLock { state in
            state.entries[file]?.isPaused = isPaused
            return state.entries[file]?.pools ?? []
        }
    }

    private func refuseInherited() {
        state.withLock { state in
            for entry in state.entries.values { for pool in entry.pools { pool.refuseFork() } }
            state.inherited += state.entries.values
            state.entries = [:]
        }
    }

    private func waitUntilGone(_ dataFile: String) throws(DataStoreError) {
        guard case .file(let file, _) = try FileSystem.entry(at: dataFile) else { return }
        state.wait { state -> Void? in (state.entries[file]?.pools.isEmpty ?? false) ? nil : () }
    }
}
