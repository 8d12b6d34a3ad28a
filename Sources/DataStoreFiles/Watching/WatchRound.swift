/// What the thread knows of everything that is watched, and when it looks at what.
struct WatchRound {
    /// How often to look where the operating system tells of changes, in milliseconds: for those that it does not tell
    /// of.
    static let slowPace = 1000
    /// How often where it does not.
    static let quickPace = 50
    /// For how long to look again after an event after which there was nothing new: it may be told before the change
    /// can be seen. (LMDB publishes a transaction after it has written it.)
    private static let longestPause = 64

    fileprivate struct Look {
        let watched: Watched
        /// The names that matter, by the numbers of their directories.
        var names: [Int32: Set<String>] = [:]
        /// Whether the operating system tells of all places.
        var isTold = false
        /// When to find the places anew.
        var findsAt = 0
        /// When to look next.
        var due = 0
        /// How long to wait after an event in vain; 0: it is no longer waited for.
        var pause = 0
    }

    private var looks: [ObjectIdentifier: Look] = [:]
    private var directories: Set<Int32> = []
    private let events = DirectoryEvents()
    private let clock = ContinuousClock()
    private let start = ContinuousClock.now

    /// What can be read when something has happened.
    var descriptor: Int32? { events?.descriptor }

    /// How many milliseconds there is nothing to do.
    var patience: Int32 {
        let now = now
        return Int32(clamping: max(looks.values.map { $0.due - now }.min() ?? Self.slowPace, 0))
    }

    private var now: Int {
        let (seconds, attoseconds) = start.duration(to: clock.now).components
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }

    /// Begins with what is new, and forgets what is no longer watched.
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

    /// Looks at what something has happened to, and at what it is time for.
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
            // It may not be seen yet.
            looks[id]?.pause = 1
            look(id)
        }
        if !moved.isEmpty { stopTheRest() }
    }

    /// Looks at one, and says when to look again.
    private mutating func look(_ id: ObjectIdentifier) {
        guard var look = looks[id] else { return }
        let isNew = look.watched.look()
        if isNew { look.pause = 0 }
        let pace = look.isTold ? Self.slowPace : Self.quickPace
        look.due = now + (look.pause > 0 ? min(look.pause, pace) : pace)
        look.pause = look.pause < Self.longestPause ? look.pause * 2 : 0
        looks[id] = look
    }

    /// Has the operating system tell of the places of one, wherever they are now.
    private mutating func find(_ id: ObjectIdentifier) {
        guard var look = looks[id] else { return }
        look.names = [:]
        look.isTold = true
        for place in look.watched.places() where !observe(place, for: &look) { look.isTold = false }
        look.findsAt = now + Self.slowPace
        looks[id] = look
    }

    /// Observes a place: where its directory is missing, the nearest one above it, until it is made.
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
            // It may have been made before the one above was observed.
            if case .observed(let directory) = events.observe(place.parent) {
                directories.insert(directory)
                look.names[directory, default: []].insert(place.name)
            }
            return true
        }
    }

    /// Stops to observe directories that nobody needs any more.
    private mutating func stopTheRest() {
        let needed = looks.values.reduce(into: Set<Int32>()) { $0.formUnion($1.names.keys) }
        for directory in directories.subtracting(needed) { events?.stop(directory) }
        directories = needed
    }
}

extension WatchRound.Look {
    /// Whether an event is of one of the names, or of the directory that they are in.
    fileprivate func concerns(_ event: DirectoryEvents.Event) -> Bool {
        guard let directory = event.directory else { return true }
        guard let names = names[directory] else { return false }
        return event.name.isEmpty || names.contains(event.name)
    }
}
