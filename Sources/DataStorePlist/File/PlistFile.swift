import DataStoreCore
import DataStoreFiles
import DataStoreMemory
import Synchronization

/// The file of a store: read when it has changed, replaced as a whole when it is written.
final class PlistFile: Sendable {
    /// Contents with the stamp of the file that they were read from.
    private final class Cached: Sendable {
        let contents: PlistContents
        let stamp: FileStamp?
        /// The bytes of the file while a later change could leave the same stamp; otherwise `nil`.
        let unsettledBytes: [UInt8]?
        /// The open file, if a later change must show in its stamp and no link leads to it. Querying the descriptor is
        /// faster than resolving the path.
        let file: File?
        /// When the path was last resolved, in milliseconds.
        let checkedAt: Atomic<Int64>

        init(_ contents: PlistContents, stamp: FileStamp?, unsettledBytes: [UInt8]? = nil, file: File?) {
            self.contents = contents
            self.stamp = stamp
            self.unsettledBytes = unsettledBytes
            self.file = unsettledBytes == nil ? file : nil
            checkedAt = Atomic(Clock.milliseconds)
        }

        /// The same with indexes of the records.
        init(_ cached: Cached, indexed records: RecordTree) {
            var contents = cached.contents
            contents.records = records
            self.contents = contents
            stamp = cached.stamp
            unsettledBytes = cached.unsettledBytes
            file = cached.file
            checkedAt = Atomic(cached.checkedAt.load(ordering: .relaxed))
        }

        /// Whether the file is unchanged. A directory above it that was moved is noticed after at most a tenth of a
        /// second.
        var isCurrent: Bool {
            guard let file, let stamp, file.has(stamp) else { return false }
            return Clock.milliseconds - checkedAt.load(ordering: .relaxed) < 100
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
    let lockTimeout: Duration
    /// Whether another process held the lock when it was last acquired.
    let isContended = Atomic(false)
    let hasRemovedLeftovers = Atomic(false)

    /// - Parameters:
    ///   - path: the file.
    ///   - newFormat: the format of a file that does not exist yet.
    ///   - lockTimeout: how long to wait for the lock while no process writes.
    init(path: String, newFormat: PlistDataStore.Format, lockTimeout: Duration) {
        self.path = path
        self.lockTimeout = lockTimeout
        self.newFormat = newFormat
    }

    /// The records that are in the file now.
    func records() throws(DataStoreError) -> RecordTree {
        // Asked without the lock: readers do not wait for each other's calls.
        if let cached = state.withLock(\.cached), cached.isCurrent { return cached.contents.records }
        return try contents(at: PlistLocation.resolve(path)).records
    }

    /// Returns what is in the file at a location now.
    func contents(at location: PlistLocation?) throws(DataStoreError) -> PlistContents {
        try state.withLock { state throws(DataStoreError) in try current(&state, at: location).contents }
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
            _ = try current(&state, at: PlistLocation.resolve(path))
            return state.generation
        }
    }

    /// Whether the file exists.
    func exists() throws(DataStoreError) -> Bool {
        guard let location = try PlistLocation.resolve(path) else { return false }
        return try location.directory.status(of: location.name) != nil
    }

    private func current(
        _ state: inout State, at location: PlistLocation?
    ) throws(DataStoreError) -> Cached {
        if let cached = state.cached, cached.unsettledBytes == nil, try cached.stamp == stamp(at: location) {
            cached.checkedAt.store(Clock.milliseconds, ordering: .relaxed)
            return cached
        }
        let current = try load(location, reusing: state.cached)
        let isSame = state.cached.map { $0.stamp == current.stamp && $0.unsettledBytes == current.unsettledBytes }
        let old = state.cached
        state.cached = current
        if isSame != true {
            state.generation += 1
            // An observer that comes later reads by itself.
            if !observers.isEmpty {
                observers.wake(old.map { current.contents.records.changedKeys(since: $0.contents.records) })
            }
        }
        return current
    }

    func stamp(at location: PlistLocation?) throws(DataStoreError) -> FileStamp? {
        try location.flatMap { location throws(DataStoreError) in try location.directory.open(location.name, .read) }?
            .stamp()
    }

    private func load(_ location: PlistLocation?, reusing old: Cached?) throws(DataStoreError) -> Cached {
        do throws(DataStoreError) {
            guard let location, let read = try location.read() else {
                return Cached(PlistContents(format: newFormat), stamp: nil, file: nil)
            }
            let file = location.isLinked ? nil : read.file
            let unsettled = read.isSettled ? nil : read.bytes
            if let old, old.unsettledBytes == read.bytes {
                return Cached(old.contents, stamp: read.stamp, unsettledBytes: unsettled, file: file)
            }
            return Cached(
                try PlistContents(read.bytes), stamp: read.stamp, unsettledBytes: unsettled, file: file)
        } catch {
            throw error.adding(operation: "read the file", path: path)
        }
    }

    // MARK: Writing

    /// Replaces the contents of the file. The lock must be held.
    ///
    /// - Parameters:
    ///   - contents: the new contents.
    ///   - location: where the file is.
    ///   - changes: which records differ.
    /// - Throws: `DataStoreError`: `full`, `inputOutput`.
    func replace(
        with contents: PlistContents, at location: PlistLocation, _ changes: ChangedKeys
    ) throws(DataStoreError) {
        let bytes = contents.serialized()
        guard bytes.count <= Int(PlistLocation.maximumByteCount) else {
            throw DataStoreError(
                .full,
                "the file would have \(bytes.count) bytes, and a property list has at most "
                    + "\(PlistLocation.maximumByteCount); use LMDB", path: path)
        }
        do throws(DataStoreError) {
            let old = try location.directory.status(of: location.name)
            if let old, old.kind != .regular {
                throw DataStoreError(.busy, "another program has just replaced it by something else; retry", path: path)
            }
            let stamp = try location.directory.replace(location.name, like: old, with: bytes)
            let file = location.isLinked ? nil : try location.directory.open(location.name, .read)
            state.withLock { state in
                state.generation += 1
                state.cached = stamp.map { Cached(contents, stamp: $0, file: file) }
            }
            observers.wake(changes)
        } catch {
            // The contents of the file are not known now: it is read again.
            state.withLock { $0.cached = nil }
            throw error
        }
    }
}
