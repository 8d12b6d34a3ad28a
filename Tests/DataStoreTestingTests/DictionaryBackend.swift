import DataStoreCore

/// The transaction of a ``DictionaryDataStore``.
final class DictionaryBackend: WriteBackend {
    private let before: [Key: Record]
    private(set) var records: [Key: Record]
    private(set) var changedKeys = ChangedKeys()
    private let fault: DictionaryDataStore.Fault?
    let cache: QueryCache?

    init(_ records: [Key: Record], _ fault: DictionaryDataStore.Fault?, cache: QueryCache? = nil) {
        (before, self.records) = (records, records)
        self.fault = fault
        self.cache = cache
    }

    func view(_ key: Key, _ body: (borrowing RecordView) -> Void) -> Bool {
        let visible = fault == .hidesOwnChanges ? before : records
        guard let record = visible[same(key)] else { return false }
        body(RecordView(record))
        return true
    }

    func put(_ record: Record, for key: Key) {
        var record = record
        if fault == .changesNumbers {
            for field in record {
                if case .integer(let number) = field.value { record[field.name] = .real(Double(number)) }
            }
        }
        records[same(key)] = record
        changedKeys.insert(key)
    }

    func remove(_ key: Key) -> Bool {
        guard records.removeValue(forKey: same(key)) != nil else { return false }
        changedKeys.insert(key)
        return true
    }

    func scan(_ scan: Scan, _ visit: (Key, borrowing RecordView) -> Scan.Step) {
        var keys = records.keys.filter { key in
            key.collection.utf8.elementsEqual(scan.collection.utf8)
                && (fault == .ignoresBounds || scan.ids.contains(key.id))
        }
        keys.sort { fault == .ordersByUnicode ? $0.id < $1.id : $0 < $1 }
        if scan.isReversed { keys.reverse() }
        for key in keys.prefix(fault == .ignoresLimits ? .max : max(0, scan.limit ?? .max)) {
            guard let record = records[key], visit(key, RecordView(record)) == .next else { return }
        }
    }

    func collection(after name: String?) -> String? {
        let after = records.keys.filter { key in
            name.map { $0.utf8.lexicographicallyPrecedes(key.collection.utf8) } ?? true
        }
        return after.min()?.collection
    }

    /// Returns the key itself, or with the fault a canonically equivalent key.
    private func same(_ key: Key) -> Key {
        guard fault == .takesSpellingsForOne else { return key }
        return records.keys.first { $0.collection == key.collection && $0.id == key.id } ?? key
    }
}
