/// Reads what is stored, and below it what is registered.
final class LayeredBackend: ReadBackend {
    private let stored: any ReadBackend
    /// What is registered, and the entries that lead to it in indexes.
    private var registered: RecordTree
    /// The entries that lead to what is stored under the same keys alone, and are not shown.
    private var hidden: Set<Key> = []

    init(_ registered: RecordTree, below stored: any ReadBackend) {
        self.stored = stored
        self.registered = registered
    }

    /// Sees to it that the entries of an index are those of the records as they are shown here.
    func prepare(_ index: RecordIndex, of collection: String) throws(DataStoreError) {
        try stored.prepare(index, of: collection)
        let layered = ReadTransaction(self)
        let below = ReadTransaction(stored)
        guard let state = try IndexCatalogue(of: collection, in: below)[index.name], state.isOf(index) else { return }
        var keys: [Key] = []
        registered.scan(Scan(kept: collection)) { key, _ in
            keys.append(key)
            return .next
        }
        for key in keys where state.covers(key.id) {
            func entries(_ record: borrowing RecordView) throws(DataStoreError) -> [Key] {
                try IndexEntry.ids(of: record, id: key.id, by: index.field, in: state.entries).map {
                    Key(kept: $0, in: state.entries)
                }
            }
            hidden.formUnion(try below.view(of: key, entries) ?? [])
            guard let record = try layered.record(for: key) else { continue }
            for entry in try entries(RecordView(record)) {
                registered.put(state.content(of: entry.id, record), for: entry)
                // The store says that there is none of these: then the index is not used.
                if IndexEntry.isUnordered(entry.id), !state.hasUnordered {
                    hidden.insert(IndexState.key(of: collection))
                }
            }
        }
    }

    func view(_ key: Key, _ body: (borrowing RecordView) -> Void) throws(DataStoreError) -> Bool {
        guard let defaults = registered.record(for: key) else {
            return hidden.contains(key) ? false : try stored.view(key, body)
        }
        let isStored = try stored.view(key) { view in body(RecordView(LayeredRecord(defaults, below: view.source))) }
        if !isStored { body(RecordView(defaults)) }
        return true
    }

    func scan(_ scan: Scan, _ visit: (Key, borrowing RecordView) -> Scan.Step) throws(DataStoreError) {
        // With the same limit: as many as that come before whatever comes after them.
        var waiting: [Entry] = []
        registered.scan(scan) { key, record in
            waiting.append(Entry(key: key, record: record))
            return .next
        }
        guard !waiting.isEmpty || !hidden.isEmpty else { return try stored.scan(scan, visit) }
        var walk = Walk(waiting: waiting[...], remaining: scan.limit ?? .max, isReversed: scan.isReversed)
        guard walk.remaining > 0 else { return }
        // What is hidden does not count.
        try stored.scan(hidden.isEmpty ? scan : scan.withoutLimit) { key, view in
            while let entry = walk.next(before: key) {
                if walk.step(visit(entry.key, RecordView(entry.record))) == .stop { return .stop }
            }
            guard let entry = walk.next(at: key) else {
                return hidden.contains(key) ? .next : walk.step(visit(key, view))
            }
            return walk.step(visit(key, RecordView(LayeredRecord(entry.record, below: view.source))))
        }
        while !walk.isOver, let entry = walk.next() {
            _ = walk.step(visit(entry.key, RecordView(entry.record)))
        }
    }

    func collection(after name: String?) throws(DataStoreError) -> String? {
        guard let registered = registered.collection(after: name) else { return try stored.collection(after: name) }
        guard let stored = try stored.collection(after: name) else { return registered }
        return stored.utf8.lexicographicallyPrecedes(registered.utf8) ? stored : registered
    }

    /// How far a scan of both layers has come.
    private struct Walk {
        /// What is registered and was not shown yet, in the order of the scan.
        var waiting: ArraySlice<Entry>
        var remaining: Int
        let isReversed: Bool
        var isOver = false

        /// The next of what is registered.
        mutating func next() -> Entry? { waiting.popFirst() }

        /// The next of what is registered, where it comes before a stored key.
        mutating func next(before key: Key) -> Entry? {
            guard let first = waiting.first, isReversed ? key < first.key : first.key < key else { return nil }
            return next()
        }

        /// What is registered for a stored key.
        mutating func next(at key: Key) -> Entry? { waiting.first?.key == key ? next() : nil }

        /// Counts what was shown, and says whether to go on.
        mutating func step(_ step: Scan.Step) -> Scan.Step {
            remaining -= 1
            isOver = step == .stop || remaining == 0
            return isOver ? .stop : .next
        }
    }
}

/// A stored record with the registered fields that it lacks.
private final class LayeredRecord: RecordSource {
    private let stored: any RecordSource
    private let registered: Record

    init(_ registered: Record, below stored: any RecordSource) {
        self.stored = stored
        self.registered = registered
    }

    func value(of name: String) throws(DataStoreError) -> Value? {
        try stored.value(of: name) ?? registered[name]
    }

    func record() throws(DataStoreError) -> Record { try stored.record().filled(from: registered) }
}

extension Record {
    /// The record with the fields of another one that it lacks.
    func filled(from other: Record) -> Record {
        var filled = self
        for field in other where self[field.name] == nil { filled[field.name] = field.value }
        return filled
    }
}
