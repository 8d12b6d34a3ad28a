package import DataStoreCore
package import DataStoreQueries

/// Several programs of two versions that save and delete records with references in one store concurrently. The newer
/// version declares the references; the older one declares the collections without them, or nothing.
package struct ReferenceRun {
    package static let processCount = 8
    private static let references: [(collection: String, reference: Reference)] = [
        ("visits", Reference(from: "patient", to: "patients", onDelete: .cascade)),
        ("visits", Reference(from: "others[]", to: "patients", onDelete: .clear)),
        ("bills", Reference(from: "visit", to: "visits", onDelete: .restrict)),
    ]
    private static let collections = ["patients", "visits", "bills"]

    /// Returns the schema that a process declares.
    package static func schema(of process: Int) throws -> Schema {
        switch process % 4 {
        case 1: try Schema(collections.map { Schema.Collection($0) })
        case 3: .empty
        default:
            try Schema(
                collections.map { name in
                    let references = references.filter { $0.collection == name }.map(\.reference)
                    return .init(name, rules: CollectionRules(references: references))
                })
        }
    }

    /// Makes one to three random changes of few records, so that processes often change the same ones.
    package static func change(_ transaction: inout WriteTransaction) throws {
        func id(_ count: Int) -> String { "\(Int.random(in: 0..<count))" }
        for _ in 0..<Int.random(in: 1...3) {
            let name = collections.randomElement() ?? "visits"
            let key = try Key(collection: name, id: id(name == "visits" ? 12 : 5))
            if Int.random(in: 0..<3) == 0 {
                try transaction.remove(key)
                continue
            }
            var record = Record()
            if name == "visits" {
                record["patient"] = .string(id(5))
                record["others"] = .array([.string(id(5)), .string(id(5))])
            } else if name == "bills" {
                record["visit"] = .string(id(12))
            }
            try transaction.put(record, for: key)
        }
    }

    /// Returns a sentence for each reference in a snapshot that is not true.
    package static func findings(in transaction: borrowing ReadTransaction) throws -> [String] {
        var findings: [String] = []
        for (collection, reference) in references {
            for entry in try transaction.records(in: Scan(collection)) {
                for target in targets(of: reference, in: entry.record)
                where try !transaction.contains(Key(collection: reference.target, id: target)) {
                    findings.append("\(entry.key) refers to \(target) of \(reference.target)")
                }
            }
        }
        return findings
    }

    /// Returns the ids to which a record refers. It does not use the code of the library that it tests.
    private static func targets(of reference: Reference, in record: Record) -> [String] {
        let name = reference.field.name.replacing("[]", with: "")
        let values = if case .array(let values)? = record[name] { values } else { record[name].map { [$0] } ?? [] }
        return values.compactMap { if case .string(let id) = $0 { id } else { nil } }
    }

    private let subject: any TortureSubject
    /// The number of transactions of each process.
    private let count: Int

    package init(_ subject: any TortureSubject, count: Int) {
        self.subject = subject
        self.count = count
    }

    /// Runs the processes.
    ///
    /// - Returns: A sentence for each finding.
    package func findings() async throws -> [String] {
        let first = try await subject.open()
        let declaring = SchemaStore(first, schema: try Self.schema(of: 0))
        try await declaring.declareRules()
        try await declaring.buildIndexes()
        await first.close()
        let outcomes = try await TortureProgram.runAll(Self.processCount) { process in
            subject.storeArguments + ["references", subject.path, "\(process)", "\(count)"]
        }
        var findings = outcomes.filter { !$0.isDone }.map { "a process has failed: \($0)" }
        for word in ["failed", "broken"] { findings += outcomes.flatMap { $0.lines(word) } }
        let (savedCount, refusedCount) = (outcomes.count("saved"), outcomes.count("refused"))
        if savedCount + refusedCount != Self.processCount * count || savedCount == 0 || refusedCount == 0 {
            findings.append("\(savedCount) transactions were saved and \(refusedCount) were refused")
        }
        let store = try await subject.open()
        findings += try await store.read { try Self.findings(in: $0) }
        findings += try await SchemaStore(store).brokenReferences().flatMap(\.findings)
        let indexes = try await SchemaStore(store).checkIndexes()
        findings += indexes.filter { !$0.matchesRecords }.map { "an index is wrong: \($0)" }
        findings += try await subject.findings(of: store)
        await store.close()
        return findings
    }
}

extension [TortureProgram.Outcome] {
    /// Returns the number that the processes have written after a word.
    fileprivate func count(_ word: String) -> Int { flatMap { $0.lines(word) }.compactMap { Int($0) }.reduce(0, +) }
}
