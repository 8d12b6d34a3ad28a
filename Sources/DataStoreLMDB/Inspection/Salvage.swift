import DataStoreSystem
import RecordFraming

/// A batch of readable records of a damaged store. One transaction copies the batch to the store that receives the
/// salvaged records.
struct SalvageBatch: Sendable {
    /// A position among the leaf pages of a ``SalvagePlan``: a page, and the number of nodes on it that earlier batches
    /// have processed.
    typealias Position = (page: PageNumber, nodeCount: Int)

    private(set) var records: [Entry] = []

    /// The records with index definitions.
    private(set) var definitions: [Entry] = []

    /// The keys of damaged records as printable text.
    private(set) var lostKeys: [String] = []

    /// The position at which the next batch starts, or `nil` if this is the last batch.
    private(set) var next: Position?

    private static let maximumCount = 1000
    private static let maximumByteCount = 4 << 20

    /// Reads the records of a plan, starting at a position. The batch ends when it contains 1000 records, or when their
    /// total size reaches 4 MiB.
    init(of plan: SalvagePlan, from start: Position, _ cancellation: Cancellation) throws {
        var position = start
        var byteCount = 0
        while let number = plan.leaves.first(from: position.page) {
            try cancellation.check()
            if number != position.page { position = (number, 0) }
            if let (page, nodes) = plan.leaf(number) {
                for node in nodes.dropFirst(position.nodeCount) {
                    guard records.count < Self.maximumCount, byteCount < Self.maximumByteCount else {
                        next = position
                        return
                    }
                    position.nodeCount += 1
                    byteCount += try add(node, of: page, plan)
                }
            }
            position = (number + 1, 0)
        }
    }

    /// Adds the record of a node to the batch. If the record is damaged, adds its key to ``lostKeys`` instead. Ignores
    /// an index entry, because the entries are rebuilt from the records.
    ///
    /// - Returns: The size of the record in bytes, or 0 for an index entry.
    private mutating func add(_ node: Node, of page: Page, _ plan: SalvagePlan) throws(DataStoreError) -> Int {
        let key = page.bytes[node.key]
        let isDefinition = key.starts(with: KeyBytes.prefix(IndexState.catalogues))
        if key.first == 0, key != KeyBytes.format[...], !isDefinition { return 0 }
        do {
            if case .largeValue(let first, _) = node.content, plan.isOutdated(first) {
                throw PageDamage("its value is on a free page")
            }
            if let record = try Entry(key: key, frame: plan.snapshot.value(of: node, in: page)) {
                if isDefinition { definitions.append(record) } else { records.append(record) }
            }
        } catch let error as DataStoreError where error.code == .unsupportedFormat {
            throw error
        } catch {
            lostKeys.append(KeyBytes.text(of: key))
        }
        if case .largeValue(_, let byteCount) = node.content { return Int(clamping: byteCount) }
        return node.end - node.start
    }
}

extension LMDBDataStore {
    /// Copies the intact records of a damaged store, and its index definitions, to another store.
    ///
    /// The damaged store is only read, so it and its directory stay unchanged. No process may write to it during the
    /// call. The other store receives the records in several transactions. Existing records are never replaced, so the
    /// call can be repeated after a failure.
    ///
    /// The index definitions are copied only if the other store has none. The indexes are rebuilt when a program next
    /// opens the other store with a schema.
    ///
    /// - Parameters:
    ///   - path: The directory of the damaged store, or its data file alone.
    ///   - store: The store that receives the records.
    /// - Returns: A report on the copied and the lost records.
    /// - Throws: Any error of the other store, `CancellationError` if the task is cancelled, or `DataStoreError` with
    ///   one of these codes:
    ///   - `notAStore` if no store exists at the path.
    ///   - `corrupted` if no records can be found.
    ///   - `unsupportedFormat` if a newer program wrote the damaged store.
    ///   - `busy` if a process writes to the damaged store.
    ///   - `readOnly` if both stores are the same.
    public static func salvage(_ path: String, into store: any DataStore) async throws -> SalvageReport {
        try await DataStoreError.adding(operation: "salvage the store", path: path) {
            let files = try StoreFiles.inspected(at: Path.absolute(path))
            try checkTarget(store, isNot: files.data)
            let plan = try await Thread.run { cancellation in
                try SalvagePlan.best(for: PageFile(files.data), cancellation)
            }
            var report = SalvageReport(plan)
            var definitions: [Entry] = []
            var position: SalvageBatch.Position? = (0, 0)
            while let start = position {
                let batch = try await Thread.run { cancellation in
                    let batch = try SalvageBatch(of: plan, from: start, cancellation)
                    guard try plan.snapshot.isUnchanged() else { throw PageFile.isChanging }
                    return batch
                }
                let (savedCount, keptKeys) = try await put(batch.records, into: store)
                report.savedCount += savedCount
                report.keptKeys += keptKeys
                report.lostKeys += batch.lostKeys
                definitions += batch.definitions
                position = batch.next
            }
            try await put(definitions: definitions, into: store)
            return report
        }
    }

    /// Stores the records whose keys do not exist yet.
    ///
    /// - Returns: The number of stored records, and the keys that already have a different record.
    private static func put(
        _ records: [Entry], into store: any DataStore
    ) async throws -> (savedCount: Int, keptKeys: [Key]) {
        guard !records.isEmpty else { return (0, []) }
        return try await store.write { transaction in
            var savedCount = 0
            var keptKeys: [Key] = []
            for stored in records {
                switch try transaction.record(for: stored.key) {
                case nil:
                    try transaction.put(stored.record, for: stored.key)
                    savedCount += 1
                case stored.record: break
                default: keptKeys.append(stored.key)
                }
            }
            return (savedCount, keptKeys)
        }
    }

    /// Stores index definitions, with every index marked as invalid, unless the store already has definitions.
    /// Definitions from two stores are not mixed, because they could use the same collection for the entries of
    /// different indexes.
    private static func put(definitions: [Entry], into store: any DataStore) async throws {
        guard !definitions.isEmpty else { return }
        try await store.write { transaction in
            let others = try transaction.records(in: Scan(stored: IndexState.catalogues, limit: 1))
            guard others.isEmpty else { return }
            for definition in definitions {
                let (id, record) = (definition.key.id, definition.record)
                // The record with an empty id contains the number of the last collection of index entries instead.
                let stored = try id.isEmpty ? record : IndexState.invalidating(catalogue: record, of: id)
                try transaction.put(stored, for: definition.key)
            }
        }
    }

    private static func checkTarget(_ store: any DataStore, isNot damaged: File) throws(DataStoreError) {
        guard let target = store as? LMDBDataStore,
            let file = try FileStatus.of(path: "\(target.path)/\(StoreFiles.dataName)"),
            file.id == (try damaged.status().id)
        else { return }
        throw DataStoreError(.readOnly, "the target is the damaged store itself; choose another target")
    }

    /// The result of salvaging a damaged store. ``LMDBDataStore/salvage(_:into:)`` returns it.
    ///
    /// ```swift
    /// let report = try await LMDBDataStore.salvage(path, into: other)
    /// print("saved \(report.savedCount) records, lost", report.lostKeys)
    /// ```
    public struct SalvageReport: Sendable {
        /// The number of records that were copied to the other store. Records that already existed there do not count.
        public fileprivate(set) var savedCount = 0

        /// The keys that already had a different record in the other store. These records were not replaced.
        public fileprivate(set) var keptKeys: [Key] = []

        /// The keys of damaged records as printable text. Records on unreadable pages are not listed, because their
        /// keys are unknown.
        public fileprivate(set) var lostKeys: [String] = []

        /// The problems with the pages of the damaged store.
        package let findings: [CheckReport.Finding]

        /// Whether the copied records may lack the changes of the last committed transaction. If so, some of the
        /// records may have an earlier value, and others may have been removed since.
        ///
        /// The value is `true` if the meta page of the last transaction is damaged, or if damage makes it impossible to
        /// distinguish free pages from pages in use.
        public let mayBeOutdated: Bool

        init(_ plan: SalvagePlan) {
            findings = plan.findings
            mayBeOutdated = plan.mayBeOutdated
        }
    }
}
