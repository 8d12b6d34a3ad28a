import DataStoreCore
import DataStoreMemory
import Synchronization

/// The file of a store: read when it has changed, replaced as a whole when it is written.
final class PlistFile: Sendable {
    /// Contents with the stamp of the file that they were read from.
    private final class Cached: Sendable {
        let contents: PlistContents
        let stamp: FileStamp?
        /// The bytes, as long as a change could leave the same stamp; nil when none can, or where there is no file.
        let unsettledBytes: [UInt8]?
        /// The file, where it can be asked without its path.
        let openFile: OpenFile?
        /// When the path was last followed, in milliseconds.
        let checkedAt: Atomic<Int64>

        /// - Parameters:
        ///   - contents: what is in the file.
        ///   - stamp: the stamp of the file; nil where there is none.
        ///   - unsettledBytes: the bytes, as long as a change could leave the same stamp.
        ///   - path: the file.
        init(_ contents: PlistContents, stamp: FileStamp?, unsettledBytes: [UInt8]? = nil, path: String) {
            self.contents = contents
            self.stamp = stamp
            self.unsettledBytes = unsettledBytes
            checkedAt = Atomic(FileSystem.milliseconds())
            openFile = unsettledBytes == nil ? stamp.flatMap { OpenFile(path, stamp: $0) } : nil
        }

        /// The same with indexes of the records.
        init(_ cached: Cached, indexed records: RecordTree) {
            var contents = cached.contents
            contents.records = records
            self.contents = contents
            stamp = cached.stamp
            unsettledBytes = cached.unsettledBytes
            openFile = cached.openFile
            checkedAt = Atomic(cached.checkedAt.load(ordering: .relaxed))
        }

        /// Whether the file at the path is still the one, as far as can be told without following the path each time: where a
        /// directory above it was moved, that takes a tenth of a second to be seen.
        var isCurrent: Bool {
            guard openFile?.isUnchanged == true else { return false }
            return FileSystem.milliseconds() - checkedAt.load(ordering: .relaxed) < 100
        }
    }

    private struct State {
        var cached: Cached?
        /// How many different contents there were.
        var generation: UInt64 = 0
    }

    let path: String
    /// Those who observe the records.
    let observers = ChangeObservers()
    /// What was seen of the file when it was looked at for them.
    let sight = Mutex<Sight?>(nil)
    private let newFormat: PlistDataStore.Format
    private let state = Mutex(State())
    /// Whether others had the lock when it was last asked for.
    private let isContended = Atomic(false)

    /// - Parameters:
    ///   - path: the file.
    ///   - newFormat: the format of a file that is not there yet.
    init(path: String, newFormat: PlistDataStore.Format) {
        self.path = path
        self.newFormat = newFormat
    }

    /// The records that are in the file now.
    func records() throws(DataStoreError) -> RecordTree {
        // Asked without the lock: readers do not wait for each other's calls.
        if let cached = state.withLock(\.cached), cached.isCurrent { return cached.contents.records }
        return try contentsAtPath().records
    }

    /// What is in the file now, wherever its path leads now. Who holds the lock asks for this.
    func contentsAtPath() throws(DataStoreError) -> PlistContents {
        try state.withLock { state throws(DataStoreError) in try current(&state).contents }
    }

    /// Keeps indexes that were made for a query, as long as the same records are in the file.
    func keep(_ indexed: RecordTree, madeFrom records: RecordTree) {
        state.withLock { state in
            guard let cached = state.cached, cached.contents.records.isSame(as: records) else { return }
            state.cached = Cached(cached, indexed: indexed)
        }
    }

    /// How many different contents were in the file when it was looked at.
    func generation() throws(DataStoreError) -> UInt64 {
        try state.withLock { state throws(DataStoreError) in
            _ = try current(&state)
            return state.generation
        }
    }

    /// Whether the file is there.
    func exists() throws(DataStoreError) -> Bool { try FileSystem.stamp(of: path) != nil }

    private func current(_ state: inout State) throws(DataStoreError) -> Cached {
        let stamp = try FileSystem.stamp(of: path)
        if let cached = state.cached, cached.stamp == stamp, cached.unsettledBytes == nil {
            cached.checkedAt.store(FileSystem.milliseconds(), ordering: .relaxed)
            return cached
        }
        let current = try load(stamp, reusing: state.cached)
        let isSame = state.cached.map { $0.stamp == current.stamp && $0.unsettledBytes == current.unsettledBytes }
        let old = state.cached
        state.cached = current
        if isSame != true {
            state.generation += 1
            // Who comes later reads it by itself.
            if !observers.isEmpty {
                observers.wake(old.map { current.contents.records.changedKeys(since: $0.contents.records) })
            }
        }
        return current
    }

    /// Puts other contents into the file. The lock must be held.
    ///
    /// - Parameters:
    ///   - contents: what is to be in the file.
    ///   - changes: which records are others.
    /// - Throws: `DataStoreError`.
    func replace(with contents: PlistContents, _ changes: ChangedKeys) throws(DataStoreError) {
        let bytes = contents.serialized()
        // A symbolic link stays one: what it points to is replaced.
        let target = try FileSystem.target(of: path)
        let old = try FileSystem.stamp(of: target)
        do {
            let stamp = try FileSystem.replace(target, with: bytes, old: old)
            state.withLock { state in
                state.generation += 1
                state.cached = stamp.map { Cached(contents, stamp: $0, path: path) }
            }
            observers.wake(changes)
        } catch {
            // What is in the file is not certain now: it is read again.
            state.withLock { $0.cached = nil }
            throw error
        }
    }

    /// Runs a closure while it holds the lock between processes, and between stores of this one.
    func withLock<Result>(_ body: () throws(DataStoreError) -> Result) throws(DataStoreError) -> Result {
        try FileSystem.makeDirectory(FileSystem.parent(of: path))
        let lock = try FileLock(
            of: FileSystem.target(of: path), isYielding: isContended.load(ordering: .relaxed))
        isContended.store(lock.hasWaited, ordering: .relaxed)
        do throws(DataStoreError) {
            let result = try body()
            lock.release()
            return result
        } catch {
            lock.release()
            throw error
        }
    }

    private func load(_ stamp: FileStamp?, reusing old: Cached?) throws(DataStoreError) -> Cached {
        guard let stamp else { return Cached(PlistContents(format: newFormat), stamp: nil, path: path) }
        let (bytes, found, isSettled) = try FileSystem.readStable(path, stamp)
        guard let found else { return try load(nil, reusing: nil) }
        let unsettled = isSettled ? nil : bytes
        if let old, old.unsettledBytes == bytes {
            return Cached(old.contents, stamp: found, unsettledBytes: unsettled, path: path)
        }
        do {
            return Cached(try PlistContents(bytes), stamp: found, unsettledBytes: unsettled, path: path)
        } catch {
            throw error.adding(operation: "read the file", path: path)
        }
    }
}
