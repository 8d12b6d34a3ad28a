package import DataStoreCore
package import DataStoreQueries

/// Several programs that save titles in one store concurrently. Six declare that titles are unique. Two are older: one
/// has no declarations, the other declares another index. One of the six makes a raw write halfway, which invalidates
/// the unique index.
package struct UniqueRun {
    package static let processCount = 8
    /// The process that makes the raw write.
    package static let rawProcess = 0
    package static let rawTitle = "raw"
    private static let collection = "trips"
    private static let titleCount = 16

    /// Returns the schema that a process declares.
    package static func schema(of process: Int) throws -> Schema {
        switch process {
        case 6: .empty
        case 7: try Schema([.init(collection, indexes: [.on("n")])])
        default: try Schema([.init(collection, indexes: [.unique("title")])])
        }
    }

    /// Returns the titles that a process saves: the contested ones, in a different order in each process, and as many
    /// of its own.
    package static func titles(of process: Int) -> [String] {
        (0..<titleCount).flatMap { number in
            // Processes 2n and 2n + 1 use the same order.
            let contested = (number + process / 2 * 5) % titleCount
            return ["contested-\(contested)", "own-\(process)-\(number)"]
        }
    }

    /// Returns the key of a record.
    package static func key(_ id: String) throws -> Key { try Key(collection: collection, id: id) }

    private let subject: any TortureSubject
    /// The initial number of records in the collection.
    private let recordCount: Int

    package init(_ subject: any TortureSubject, recordCount: Int) {
        self.subject = subject
        self.recordCount = recordCount
    }

    /// Runs the processes.
    ///
    /// - Returns: A sentence for each finding.
    package func findings() async throws -> [String] {
        try await fill()
        let outcomes = try await TortureProgram.runAll(Self.processCount) { process in
            subject.storeArguments + ["unique", subject.path, "\(process)"]
        }
        var findings = outcomes.filter { !$0.isDone }.map { "a process has failed: \($0)" }
        findings += outcomes.flatMap { $0.lines("failed") }.map { "a save has failed: \($0)" }
        let won = Dictionary(outcomes.flatMap { $0.lines("won") }.map { ($0, 1) }, uniquingKeysWith: +)
        let expected = Set((0..<Self.processCount).flatMap { Self.titles(of: $0) })
        for title in expected.sorted() where won[title] != 1 {
            findings.append("\(won[title] ?? 0) processes have saved \(title)")
        }
        let answerCount = outcomes.reduce(0) { $0 + $1.lines("won").count + $1.lines("lost").count }
        if answerCount != Self.processCount * Self.titleCount * 2 { findings.append("\(answerCount) saves returned") }

        let store = try await subject.open()
        let titles = try await store.read { transaction in
            try transaction.records(in: Scan(Self.collection)).map { $0.record["title"] }
        }
        let stored = Dictionary(titles.map { ($0, 1) }, uniquingKeysWith: +)
        for (title, count) in stored where count > 1 {
            findings.append("\(count) records have the title \(title as Any)")
        }
        for title in expected.union([Self.rawTitle]).sorted() where stored[.string(title)] == nil {
            findings.append("no record has the title \(title)")
        }
        if titles.count != recordCount + expected.count + 1 { findings.append("there are \(titles.count) records") }
        findings += try await indexFindings(SchemaStore(store))
        findings += try await subject.findings(of: store)
        await store.close()
        return findings
    }

    /// Saves the initial records, as an older program.
    private func fill() async throws {
        let (store, recordCount) = (try await subject.open(), recordCount)
        try await SchemaStore(store).write { transaction in
            for number in 0..<recordCount {
                try transaction.put(["title": .string("old-\(number)")], for: Self.key("old-\(number)"))
            }
        }
        await store.close()
    }

    /// Checks that the index is still unique, and that it matches the records after it was rebuilt.
    private func indexFindings(_ store: SchemaStore) async throws -> [String] {
        let before = try await store.checkIndexes()
        try await store.buildIndexes()
        let reports = try await store.checkIndexes()
        var findings = (before + reports).filter { !$0.matchesRecords }.map { "an index is wrong: \($0)" }
        if !reports.contains(where: { $0.name == "title" && $0.isUnique && $0.state == .ready }) {
            findings.append("titles are not unique any more: \(reports)")
        }
        return findings
    }
}
