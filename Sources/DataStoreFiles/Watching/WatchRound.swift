/// The state of the watch thread: all watches, their directories, and the times of their next checks.
struct WatchRound {
    /// The interval between checks of a watch whose paths are all observed, in milliseconds. It detects changes without
    /// an event.
    static let slowPace = 1000
    /// The interval between checks of a watch with an unobserved path, in milliseconds.
    static let quickPace = 50
    /// The longest interval between repeated checks after an event without a visible change, in milliseconds. An event
    /// may precede the visible change: LMDB publishes a transaction after it has written it.
    private static let longestPause = 64

    fileprivate struct Look {
        let watched: Watched
        /// The observed names, by the numbers of their directories.
        var names: [Int32: Set<String>] = [:]
        /// Whether the operating system reports events for all paths.
        var isTold = false
        /// When to resolve the paths again.
        var findsAt = 0
        /// When to check next.
        var due = 0
        /// The interval until the next repeated check after an event; 0 if no repetition is pending.
        var pause = 0
    }

    private var looks: [ObjectIdentifier: Look] = [:]
    private var directories: Set<Int32> = []
    private let events = DirectoryEvents()
    private let clock = ContinuousClock()
    private let start = ContinuousClock.now

    /// The descriptor that becomes readable after an event.
    var descriptor: Int32? { events?.descriptor }

    /// The number of milliseconds until the next check is due.
    var patience: Int32 {
        let now = now
        return Int32(clamping: max(looks.values.map { $0.due - now }.min() ?? Self.slowPace, 0))
    }

    private var now: Int {
        let (seconds, attoseconds) = start.duration(to: clock.now).components
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }

    /// Starts new watches and removes ended ones.
    mutating func update(_ watched: [ObjectIdentifier: Watched]) {
        let isSmaller = looks.contains { watched[$0.key] == nil }
        if isSmaller { looks = looks.filter { watched[$0.key] != nil } }
        for (id, watched) in watched where looks[id] == nil {
            looks[id] = Look(watched: watched)
            find(id)
            look(id)
        }
        if isSmaller { stopTheRest() }
    }

    /// Checks the watches that are due or concerned by an event.
    mutating func lookAround() {
        var (touched, moved): (Set<ObjectIdentifier>, Set<ObjectIdentifier>) = ([], [])
        for event in events?.next() ?? [] {
            for (id, look) in looks where look.concerns(event) {
                touched.insert(id)
                if event.isMove || event.directory == nil { moved.insert(id) }
            }
        }
        let now = now
        for id in looks.keys where !touched.contains(id) && looks[id].map({ $0.due <= now }) ?? false {
            if looks[id]?.findsAt ?? .max <= now { moved.insert(id) }
            look(id)
        }
        for id in moved { find(id) }
        for id in touched.union(moved) {
            // The change may not be visible yet, so the check is repeated.
            looks[id]?.pause = 1
            look(id)
        }
        if !moved.isEmpty { stopTheRest() }
    }

    /// Checks one watch and schedules its next check.
    private mutating func look(_ id: ObjectIdentifier) {
        guard var look = looks[id] else { return }
        let isNew = look.watched.look()
        if isNew { look.pause = 0 }
        let pace = look.isTold ? Self.slowPace : Self.quickPace
        look.due = now + (look.pause > 0 ? min(look.pause, pace) : pace)
        look.pause = look.pause < Self.longestPause ? look.pause * 2 : 0
        looks[id] = look
    }

    /// Resolves the paths of a watch again and observes their directories.
    private mutating func find(_ id: ObjectIdentifier) {
        guard var look = looks[id] else { return }
        look.names = [:]
        look.isTold = true
        for place in look.watched.places() where !observe(place, for: &look) { look.isTold = false }
        look.findsAt = now + Self.slowPace
        looks[id] = look
    }

    /// Observes a path. If its directory does not exist, the nearest existing parent directory is observed until it is
    /// created.
    private mutating func observe(_ place: Path, for look: inout Look) -> Bool {
        guard let events else { return false }
        switch events.observe(place.parent) {
        case .observed(let directory):
            directories.insert(directory)
            look.names[directory, default: []].insert(place.name)
            return true
        case .impossible: return false
        case .missing:
            guard let above = place.above, observe(above, for: &look) else { return false }
            // The directory may have been created before its parent was observed.
            if case .observed(let directory) = events.observe(place.parent) {
                directories.insert(directory)
                look.names[directory, default: []].insert(place.name)
            }
            return true
        }
    }

    /// Stops observing directories that no watch needs.
    private mutating func stopTheRest() {
        let needed = looks.values.reduce(into: Set<Int32>()) { $0.formUnion($1.names.keys) }
        for directory in directories.subtracting(needed) { events?.stop(directory) }
        directories = needed
    }
}

extension WatchRound.Look {
    /// Returns whether an event concerns one of the names or their directory.
    fileprivate func concerns(_ event: DirectoryEvents.Event) -> Bool {
        guard let directory = event.directory else { return true }
        guard let names = names[directory] else { return false }
        return event.name.isEmpty || names.contains(event.name)
    }
}
