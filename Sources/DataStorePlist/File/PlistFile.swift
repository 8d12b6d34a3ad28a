import DataStoreCore
import DataStoreFiles
import DataStoreMemory
import Synchronization

/// The property-list file of a store. It is read again after each change, and each write replaces it as a whole.
final class PlistFile: Sendable {
    /// The parsed contents of the file, and the stamp that the file had when it was read.
    private final class Cached: Sendable {
        let contents: PlistContents
        let stamp: FileStamp?
        /// The bytes of the file, or `nil` if every later change to the file gives it another stamp. If the file was
        /// changed just before it was read, another change may leave the stamp the same. In this case, the store
        /// detects changes by comparing these bytes.
        let unsettledBytes: [UInt8]?
        /// The open file, which can be queried faster than its path can be resolved. It is `nil` if no file exists, if
        /// a symbolic link leads to the file, or if ``unsettledBytes`` is not `nil`.
        let file: File?
        /// The time at which the path was last resolved, as a value of `Clock.milliseconds`.
        let checkedAt: Atomic<Int64>

        init(_ contents: PlistContents, stamp: FileStamp?, unsettledBytes: [UInt8]? = nil, file: File?) {
            self.contents = contents
            self.stamp = stamp
            self.unsettledBytes = unsettledBytes
            self.file = unsettledBytes == nil ? file : nil
            checkedAt = Atomic(Clock.milliseconds)
        }

        /// Creates a copy whose records have additional indexes.
        init(_ cached: Cached, indexed records: RecordTree) {
            var contents = cached.contents
            contents.records = records
            self.contents = contents
            stamp = cached.stamp
            unsettledBytes = cached.unsettledBytes
            file = cached.file
            checkedAt = Atomic(cached.checkedAt.load(ordering: .relaxed))
        }

        /// Whether the contents are known to be current, because the open file is unchanged and its path was resolved
        /// less than a tenth of a second ago. If `false`, the caller must resolve the path again.
        var isCurrent: Bool {
            guard let stamp, file?.has(stamp) == true else { return false }
            return Clock.milliseconds - checkedAt.load(ordering: .relaxed) < 100
        }
    }

    private struct State {
        var cached: Cached?
        /// A number that increases with each change to the contents that this store detects or makes.
        var generation: UInt64 = 0
    }

    let path: String
    /// The observers of the records in the file.
    let observers = ChangeObservers()
    /// The state of the file at the last check for observers, or `nil` before the first check.
    let observedState = Mutex<ObservedState?>(nil)
    private let newFormat: PlistDataStore.Format
    private let state = Mutex(State())
    let lockTimeout: Duration
    /// Whether this store had to wait when it last acquired the lock on `NAME.lock`.
    let isContended = Atomic(false)
    let hasRemovedLeftovers = Atomic(false)

    /// Creates an object for a file, without accessing the file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - newFormat: The format in which a missing file is created.
    ///   - lockTimeout: The maximum time to wait for the lock while no other process makes progress.
    init(path: String, newFormat: PlistDataStore.Format, lockTimeout: Duration) {
        self.path = path
        self.lockTimeout = lockTimeout
        self.newFormat = newFormat
    }

    /// Returns the current records of the file.
    func records() throws(DataStoreError) -> RecordTree {
        // The system call runs outside the mutex, so that concurrent readers do not block each other.
        if let cached = state.withLock(\.cached), cached.isCurrent { return cached.contents.records }
        return try contents(at: PlistLocation.resolve(path)).records
    }

    /// Returns the current contents of the file at a location. If `location` is `nil` or no file exists there, the
    /// contents are empty.
    func contents(at location: PlistLocation?) throws(DataStoreError) -> PlistContents {
        try current(at: location).contents
    }

    /// Keeps indexes that a query has built, if the file still has the same records.
    func keep(_ indexed: RecordTree, builtFrom records: RecordTree) {
        state.withLock { state in
            guard let cached = state.cached, cached.contents.records.isSame(as: records) else { return }
            state.cached = Cached(cached, indexed: indexed)
        }
    }

    /// Checks the file for changes, and returns a number that increases with each change to the contents that this
    /// store detects or makes.
    func generation() throws(DataStoreError) -> UInt64 {
        try current(at: PlistLocation.resolve(path)).generation
    }

    /// Returns whether the file exists.
    func exists() throws(DataStoreError) -> Bool {
        guard let location = try PlistLocation.resolve(path) else { return false }
        return try location.directory.status(of: location.name) != nil
    }

    /// Returns the current contents of the file at a location, and their generation. If another program has changed the
    /// file, notifies the observers of the changed records.
    private func current(
        at location: PlistLocation?
    ) throws(DataStoreError) -> (contents: PlistContents, generation: UInt64) {
        let (old, new, isChanged, generation) = try state.withLock { state throws(DataStoreError) in
            let (old, generation) = (state.cached, state.generation)
            let new = try update(&state, at: location)
            return (old, new, state.generation != generation, state.generation)
        }
        // The lock is released first, because an observer may use the store. An observer that registers later reads the
        // new records itself.
        if isChanged, !observers.isEmpty {
            observers.wake(old.map { new.contents.records.changedKeys(since: $0.contents.records) })
        }
        return (new.contents, generation)
    }

    /// Reads the file at a location if it may have changed.
    private func update(_ state: inout State, at location: PlistLocation?) throws(DataStoreError) -> Cached {
        if let cached = state.cached, cached.unsettledBytes == nil, try cached.stamp == stamp(at: location) {
            cached.checkedAt.store(Clock.milliseconds, ordering: .relaxed)
            return cached
        }
        let current = try load(location, reusing: state.cached)
        let isSame = state.cached.map { $0.stamp == current.stamp && $0.unsettledBytes == current.unsettledBytes }
        state.cached = current
        if isSame != true { state.generation += 1 }
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
            throw error.adding(path: path)
        }
    }

    // MARK: Writing

    /// Replaces the contents of the file. The caller must hold the lock.
    ///
    /// - Parameters:
    ///   - contents: The new contents.
    ///   - location: The location of the file.
    ///   - changes: The keys of the records that the new contents add, change or remove. Their observers are notified.
    /// - Throws: `DataStoreError` with one of these codes:
    ///   - `full` if the disk is full or the file would be too large.
    ///   - `notAStore` if another process has replaced the file with something other than a regular file.
    ///   - `inputOutput` if the file cannot be written.
    func replace(
        with contents: PlistContents, at location: PlistLocation, _ changes: ChangedKeys
    ) throws(DataStoreError) {
        let bytes = contents.serialized()
        guard bytes.count <= Int(PlistLocation.maximumByteCount) else {
            throw DataStoreError(
                .full,
                "the file would have \(bytes.count) bytes, more than \(PlistLocation.maximumByteCount); "
                    + "use an LMDB store", path: path)
        }
        do throws(DataStoreError) {
            let new = try location.directory.replace(location.name, with: bytes)
            state.withLock { state in
                state.generation += 1
                state.cached = new.map { Cached(contents, stamp: $0.stamp, file: location.isLinked ? nil : $0.file) }
            }
            observers.wake(changes)
        } catch {
            // The state of the file is unknown after a failure, so the next access reads it again.
            state.withLock { $0.cached = nil }
            throw error
        }
    }
}
