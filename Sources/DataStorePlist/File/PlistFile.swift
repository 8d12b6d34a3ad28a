import DataStoreSystem
import Synchronization

/// The property-list file of a store. It is read again after each change, and each write replaces it as a whole.
final class PlistFile: Sendable {
    /// The parsed contents of the file.
    private struct Cached {
        var contents: PlistContents
        /// The bytes from which ``contents`` were parsed, or `nil` if no file exists.
        let bytes: [UInt8]?
        /// The open file and its stamp, or `nil` if no file exists or the stamp is not settled. If the file was changed
        /// just before it was read, another change may leave the stamp the same. The store then detects changes by
        /// comparing ``bytes``.
        ///
        /// While the file is open, no other file gets its inode and, with it, possibly its stamp.
        let pinned: (file: File, stamp: FileStamp)?
        /// Whether a symbolic link leads to the file.
        let isLinked: Bool
        /// The time at which the path was last resolved.
        var checkedAt = ContinuousClock.coarseMilliseconds

        /// The records, which are current if the open file is unchanged. It is `nil` if the path was not resolved
        /// within the last tenth of a second, so that the caller must resolve it again. This is always so for a linked
        /// file, because a link can get another target while the file is unchanged.
        var recent: (records: RecordTree, file: File, stamp: FileStamp)? {
            guard let pinned, !isLinked, ContinuousClock.coarseMilliseconds - checkedAt < 100 else { return nil }
            return (contents.records, pinned.file, pinned.stamp)
        }
    }

    /// The contents, and a number that increases with each change to them that this store detects or makes.
    private typealias State = (cached: Cached?, generation: UInt64)

    let path: String
    /// The observers of the records in the file.
    let observers = ChangeObservers()
    /// The state of the file at the last check for observers, or `nil` before the first check.
    let observedState = Mutex<PolledState?>(nil)
    private let newFormat: PlistDataStore.Format
    private let state = Mutex<State>((nil, 0))
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
        if let recent = state.withLock({ $0.cached?.recent }), recent.file.has(recent.stamp) { return recent.records }
        return try current(at: PlistLocation.resolve(path)).contents.records
    }

    /// Reads the file at a location, even if its stamp is unchanged, and returns its contents. If no file exists there,
    /// the contents are empty. A write that trusted the stamp could overwrite a change that the stamp does not show.
    func contents(at location: PlistLocation) throws(DataStoreError) -> PlistContents {
        try current(at: location, trustsStamp: false).contents
    }

    /// Keeps indexes that a query has built, if the file still has the same records.
    func keep(_ indexed: RecordTree, builtFrom records: RecordTree) {
        state.withLock { state in
            guard state.cached?.contents.records.isSame(as: records) == true else { return }
            state.cached?.contents.records = indexed
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
        at location: PlistLocation?, trustsStamp: Bool = true
    ) throws(DataStoreError) -> (contents: PlistContents, generation: UInt64) {
        let (old, new, generation) = try state.withLock { state throws(DataStoreError) in
            let old = state
            return (old, try update(&state, at: location, trustsStamp), state.generation)
        }
        // The lock is released first, because an observer may use the store. An observer that registers later reads the
        // new records itself.
        if generation != old.generation, !observers.isEmpty {
            observers.wake(old.cached.map { new.contents.records.changedKeys(since: $0.contents.records) })
        }
        return (new.contents, generation)
    }

    /// Reads the file at a location if it may have changed, or if its stamp is not trusted.
    private func update(
        _ state: inout State, at location: PlistLocation?, _ trustsStamp: Bool
    ) throws(DataStoreError) -> Cached {
        if trustsStamp, let cached = state.cached, let pinned = cached.pinned,
            try pinned.stamp == stamp(at: location)
        {
            state.cached?.checkedAt = ContinuousClock.coarseMilliseconds
            return cached
        }
        do throws(DataStoreError) {
            let read = try location?.read()
            let contents: PlistContents
            if let cached = state.cached, cached.bytes == read?.bytes {
                contents = cached.contents
            } else {
                contents = if let read { try PlistContents(read.bytes) } else { PlistContents(format: newFormat) }
                state.generation += 1
            }
            let isLinked = location?.isLinked == true
            let current = Cached(contents: contents, bytes: read?.bytes, pinned: read?.pinned, isLinked: isLinked)
            state.cached = current
            return current
        } catch {
            throw error.adding(path: path)
        }
    }

    func stamp(at location: PlistLocation?) throws(DataStoreError) -> FileStamp? {
        try location.flatMap { location throws(DataStoreError) in try location.directory.open(location.name) }?
            .stamp()
    }

    // MARK: Writing

    /// Replaces the contents of the file. The caller notifies the observers after it has released the lock.
    ///
    /// - Parameters:
    ///   - contents: The new contents.
    ///   - location: The location of the file.
    ///   - lock: The lock on `NAME.lock`.
    /// - Throws: `DataStoreError` with one of these codes:
    ///   - `full` if the disk is full or the file would be too large.
    ///   - `notAStore` if another process has replaced the file with something other than a regular file.
    ///   - `inputOutput` if the file cannot be written.
    func replace(
        with contents: PlistContents, at location: PlistLocation, _ lock: borrowing FileLock
    ) throws(DataStoreError) {
        let bytes = contents.serialized()
        guard bytes.count <= Int(PlistLocation.maximumByteCount) else {
            throw DataStoreError(
                .full,
                "the file would have \(bytes.count) bytes, more than \(PlistLocation.maximumByteCount); "
                    + "use an LMDB store", path: path)
        }
        do throws(DataStoreError) {
            let pinned = try location.directory.replace(location.name, with: bytes)
            state.withLock { state in
                state.generation += 1
                state.cached = Cached(contents: contents, bytes: bytes, pinned: pinned, isLinked: location.isLinked)
            }
        } catch {
            // The state of the file is unknown after a failure, so the next access reads it again.
            state.withLock { $0.cached = nil }
            throw error
        }
    }

    /// Calls `wake` after changes to the records in a scope, whether this store, another process or a text editor makes
    /// them.
    func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable (ChangedKeys) -> Void
    ) throws(DataStoreError) -> ChangeObservation {
        try observers.add(scope, wake) { () throws(DataStoreError) in
            // The current state is loaded, even if the file is missing, so that each later change is detected.
            check()
            return try ChangePoll(of: path) { [self] in check() }
        }
    }

    /// Loads the file if it has changed. Loading notifies the observers of changed records. If the file becomes
    /// unreadable or readable again, this function notifies all observers.
    private func check() {
        let now = PolledState { try generation() }
        let before = observedState.withLock { exchange(&$0, with: now) }
        if before != now, !now.isGeneration || before?.isGeneration == false { observers.wake(nil) }
    }
}
