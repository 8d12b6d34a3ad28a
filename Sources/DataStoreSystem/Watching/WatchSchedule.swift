/// The state of the watch thread: all watches, their directories, and the times of their next checks.
struct WatchSchedule {
    /// The interval in milliseconds between checks of a watch if the operating system reports events for all paths of
    /// the watch. The checks detect changes that cause no event.
    static let slowInterval = 1000
    /// The interval in milliseconds between checks of a watch if the operating system does not report events for all
    /// paths of the watch.
    static let fastInterval = 50
    /// The maximum interval in milliseconds between repeated checks after an event without a visible change. The checks
    /// are repeated because LMDB first writes a transaction, which causes the event, and only then publishes it.
    private static let longestRetryInterval = 64

    fileprivate struct Entry {
        let watched: WatchedFiles
        /// The observed names of entries, by the numbers of their directories.
        var names: [Int32: Set<String>] = [:]
        /// Whether the operating system reports events for all paths of the watch.
        var isObserved = false
        /// The time at which to resolve the paths again, in milliseconds since the schedule was created.
        var nextResolution = 0
        /// The time of the next check, in milliseconds since the schedule was created.
        var nextCheck = 0
        /// The interval in milliseconds until the next repeated check after an event, or 0 if no repeated check is
        /// pending.
        var retryInterval = 0
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var directories: Set<Int32> = []
    private let events = DirectoryEvents()
    private let clock = ContinuousClock()
    private let start = ContinuousClock.now

    /// The file descriptor that becomes readable after an event, or `nil` if events are not available.
    var descriptor: Int32? { events?.descriptor }

    /// The number of milliseconds until the next check of any watch: 0 if a check is overdue, and ``slowInterval`` if
    /// no watch exists.
    var timeout: Int32 {
        let now = now
        return Int32(clamping: max(entries.values.map { $0.nextCheck - now }.min() ?? Self.slowInterval, 0))
    }

    private var now: Int {
        let (seconds, attoseconds) = start.duration(to: clock.now).components
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }

    /// Starts new watches and removes ended ones.
    mutating func update(_ watched: [ObjectIdentifier: WatchedFiles]) {
        let isSmaller = entries.contains { watched[$0.key] == nil }
        if isSmaller { entries = entries.filter { watched[$0.key] != nil } }
        for (id, watched) in watched where entries[id] == nil {
            entries[id] = Entry(watched: watched)
            resolve(id)
            check(id)
        }
        if isSmaller { stopUnneeded() }
    }

    /// Checks the watches that are due or affected by an event.
    mutating func checkDueWatches() {
        var (touched, moved): (Set<ObjectIdentifier>, Set<ObjectIdentifier>) = ([], [])
        for event in events?.next() ?? [] {
            for (id, entry) in entries where entry.concerns(event) {
                touched.insert(id)
                if event.isMove || event.directory == nil { moved.insert(id) }
            }
        }
        let now = now
        for id in entries.keys where !touched.contains(id) && entries[id].map({ $0.nextCheck <= now }) ?? false {
            if entries[id]?.nextResolution ?? .max <= now { moved.insert(id) }
            check(id)
        }
        for id in moved { resolve(id) }
        for id in touched.union(moved) {
            // The change may not be visible yet, so the check is repeated.
            entries[id]?.retryInterval = 1
            check(id)
        }
        if !moved.isEmpty { stopUnneeded() }
    }

    /// Checks one watch and schedules its next check.
    private mutating func check(_ id: ObjectIdentifier) {
        guard var entry = entries[id] else { return }
        let isNew = entry.watched.check()
        if isNew { entry.retryInterval = 0 }
        let interval = entry.isObserved ? Self.slowInterval : Self.fastInterval
        entry.nextCheck = now + (entry.retryInterval > 0 ? min(entry.retryInterval, interval) : interval)
        entry.retryInterval = entry.retryInterval < Self.longestRetryInterval ? entry.retryInterval * 2 : 0
        entries[id] = entry
    }

    /// Resolves the paths of a watch again and observes their directories.
    private mutating func resolve(_ id: ObjectIdentifier) {
        guard var entry = entries[id] else { return }
        entry.names = [:]
        entry.isObserved = true
        for path in entry.watched.paths() where !observe(path, for: &entry) { entry.isObserved = false }
        entry.nextResolution = now + Self.slowInterval
        entries[id] = entry
    }

    /// Observes the directory of a path. If the directory does not exist, observes the nearest existing parent
    /// directory, so that an event reports the creation of the missing directory.
    ///
    /// - Returns: Whether a directory is observed.
    private mutating func observe(_ path: Path, for entry: inout Entry) -> Bool {
        guard let events else { return false }
        switch events.observe(path.parent) {
        case .observed(let directory):
            directories.insert(directory)
            entry.names[directory, default: []].insert(path.name)
            return true
        case .impossible: return false
        case .missing:
            guard let above = path.above, observe(above, for: &entry) else { return false }
            // The directory may have been created before its parent was observed.
            if case .observed(let directory) = events.observe(path.parent) {
                directories.insert(directory)
                entry.names[directory, default: []].insert(path.name)
            }
            return true
        }
    }

    /// Stops observing directories that no watch needs.
    private mutating func stopUnneeded() {
        let needed = entries.values.reduce(into: Set<Int32>()) { $0.formUnion($1.names.keys) }
        for directory in directories.subtracting(needed) { events?.stop(directory) }
        directories = needed
    }
}

extension WatchSchedule.Entry {
    /// Returns whether an event affects an observed entry or its directory. If events were lost, the result is `true`.
    fileprivate func concerns(_ event: DirectoryEvents.Event) -> Bool {
        guard let directory = event.directory else { return true }
        guard let names = names[directory] else { return false }
        return event.name.isEmpty || names.contains(event.name)
    }
}
