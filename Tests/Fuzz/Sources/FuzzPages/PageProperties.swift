@testable import DataStoreCore
@testable import DataStoreLMDB
import FuzzSupport

/// The properties of a damaged LMDB store that hold for any damage. If one does not hold, the program ends with its
/// name, and libFuzzer keeps the input.
struct PageProperties: Sendable {
    private let original: OriginalStore

    init(_ original: OriginalStore) { self.original = original }

    /// Damages a copy of the store; then checks, salvages, reads and writes it with verified pages.
    func check(_ edits: [PageEdit]) async {
        var bytes = original.bytes
        for edit in edits { edit.apply(to: &bytes) }
        original.replace(by: bytes)
        let isClean = await checkReport(isUnchanged: bytes == original.bytes)
        let hasKnownRecords = isClean && !PageEdit.mayForgePages(edits)
        // A clean store without both meta pages is one whose creation was interrupted.
        let records = bytes.count < 2 * PageEdit.pageSize ? [:] : original.records
        await checkSalvage(hasKnownRecords ? records : nil)
        await checkAnswers(hasKnownRecords ? records : nil)
    }

    /// Checks that a check finds nothing in an intact store, and never fails for a reason other than the contents.
    ///
    /// - Returns: Whether the store is clean.
    private func checkReport(isUnchanged: Bool) async -> Bool {
        let report = await result { try await LMDBDataStore.check(original.directory) }
        require(!isUnchanged || report?.isClean == true, "an intact store has findings: \(String(describing: report))")
        return report?.isClean ?? false
    }

    /// Checks that only records that were written are salvaged, and all of them from a clean store.
    private func checkSalvage(_ expected: [Key: Record]?) async {
        let target = MemoryDataStore()
        let report = await result { try await LMDBDataStore.salvage(original.directory, into: target) }
        let records = await result { try await allRecords(target) } ?? [:]
        checkWereWritten(records)
        require(report.map { $0.savedCount == records.count } ?? true, "the report counts other records")
        // The beginning of a data file has no records to salvage.
        if let expected, report != nil || !expected.isEmpty {
            require(records == expected, "other records are salvaged from a clean store")
        }
    }

    /// Checks that each answer is an error or consists of records that were written, and that it is the right one if
    /// the store is clean. Then writes, and checks that a write that returned is read.
    private func checkAnswers(_ expected: [Key: Record]?) async {
        let store = await result { try LMDBDataStore(path: original.directory, options: .init(verifiesPages: true)) }
        require(store != nil || expected == nil, "a clean store cannot be opened")
        guard let store else { return }
        let records = await result { try await allRecords(store) }
        if let records { checkWereWritten(records) }
        if let expected { require(records == expected, "a clean store has other records") }
        for key in original.records.keys.sorted().prefix(6) {
            guard let found = await result({ try store.read { [try $0.record(for: key)] } }) else {
                require(expected == nil, "a record of a clean store cannot be read")
                continue
            }
            if let record = found[0] { checkWereWritten([key: record]) }
            if let expected { require(found[0] == expected[key], "a record of a clean store is another one") }
        }
        await checkWriting(store)
        await store.close()
    }

    private func checkWriting(_ store: LMDBDataStore) async {
        let written = await result {
            let key = try Key(collection: "users", id: "new")
            let record: Record = ["data": .data(Array(repeating: 1, count: 5000))]
            try await store.write { try $0.put(record, for: key) }
            return (key, record)
        }
        guard let (key, record) = written else { return }
        let read = await result { try store.read { try $0.record(for: key) } }
        require(read == record, "a record that was written is not read")
    }

    private func checkWereWritten(_ records: [Key: Record]) {
        for (key, record) in records {
            require(original.versions[key]?.contains(record) ?? false, "\(key) is read, but was never written so")
        }
    }

    private func allRecords(_ store: some DataStore) async throws -> [Key: Record] {
        var records: [Key: Record] = [:]
        for collection in OriginalStore.collections {
            let entries = try await store.read { try $0.records(in: Scan(collection)) }
            for entry in entries { records[entry.key] = entry.record }
            let reversed = try await store.read { try $0.records(in: Scan(collection, isReversed: true)) }
            require(reversed == entries.reversed(), "a reversed scan has other records")
        }
        return records
    }

    /// Returns the result of an operation, or `nil` if it fails because of the contents of the files.
    private func result<Success: Sendable>(_ body: () async throws -> Success) async -> Success? {
        do {
            return try await body()
        } catch let error as DataStoreError {
            let isKnown = [.corrupted, .notAStore, .unsupportedFormat].contains(error.code)
            require(isKnown, "damage has another error than corrupted: \(error)")
            return nil
        } catch {
            fatalError("damage has another error than corrupted: \(error)")
        }
    }
}
