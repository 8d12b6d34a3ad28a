import DataStoreCore
import DataStoreQueries
import Testing

extension DataStoreConformance {
    static let ruleModelCases: [DataStoreConformance] = [
        .init("random transactions with references, expiry and unique fields have the results of a model") { store in
            var generator = SeededGenerator()
            print("rules: seed \(generator.seed)")
            let clock = TestClock()
            let writer = SchemaStore(store, schema: try RuleModel.schema(), now: clock.timestamp)
            // It enforces the rules of the other program.
            let other = SchemaStore(store, now: clock.timestamp)
            try await writer.declareRules()
            try await writer.buildIndexes()
            var model = RuleModel()
            for number in 0..<count(60, full: 500) {
                clock.now += Int64.random(in: 0...1, using: &generator)
                let steps = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                    RuleModel.randomChange(at: clock.now, using: &generator)
                }
                let applied = steps.map { "\($0.key) = \($0.record?.testDescription ?? "nil")" }
                var changed = model
                let expected = changed.apply(steps, at: clock.now)
                var found: DataStoreError.Code?
                do {
                    try await (number.isMultiple(of: 2) ? writer : other).write { transaction in
                        try transaction.apply(steps.map { ($0.key, $0.record) })
                    }
                } catch let error as DataStoreError {
                    found = error.code
                }
                #expect(found == expected, "seed \(generator.seed), transaction \(number): \(applied)")
                if expected == nil { model = changed }
                let records = try await store.read { transaction in
                    try ["visits", "patients", "doctors"].flatMap { try transaction.records(in: Scan($0)) }
                }
                let left = model.records.filter { $0.key.collection != "holds" }
                #expect(Dictionary(records.map { ($0.key, $0.record) }) { $1 } == left, "\(generator.seed), \(applied)")
                var holds = RecordQuery("holds")
                holds.now = clock.timestamp
                #expect(try await store.ids(holds) == model.holds(at: clock.now), "\(generator.seed), \(applied)")
                if found != expected { return }
            }
            #expect(try await other.brokenReferences().isEmpty)
            for report in try await other.checkIndexes() { #expect(report.matchesRecords, "\(report)") }
        }
    ]
}

/// What a store of visits, patients, doctors and holds contains if it follows its rules.
private struct RuleModel {
    static func randomChange(at now: Int64, using generator: inout SeededGenerator) -> Operation.Change {
        let (name, id, count) =
            [("patients", "p", 4), ("doctors", "d", 3), ("visits", "v", 8), ("holds", "h", 4)]
            .randomElement(using: &generator) ?? ("patients", "p", 4)
        let number = Int.random(in: 0..<count, using: &generator)
        let key = Key(stored: "\(id)\(number)", in: name)
        if Int.random(in: 0..<3, using: &generator) == 0 { return (key, nil) }
        var record = Record()
        if name == "holds" {
            record["slot"] = .integer(Int64.random(in: 0..<3, using: &generator))
            record["endsAt"] = .date(Timestamp(seconds: now + Int64.random(in: 1...20, using: &generator)))
        } else if name == "visits" {
            func random(_ prefix: String, _ count: Int) -> Value {
                .string(prefix + "\(Int.random(in: 0..<count, using: &generator))")
            }
            if Bool.random(using: &generator) { record["patient"] = random("p", 4) }
            if Bool.random(using: &generator) { record["doctors"] = .array([random("d", 3), random("d", 3)]) }
            if Bool.random(using: &generator) { record["next"] = random("v", 8) }
        }
        return (key, record)
    }

    private(set) var records: [Key: Record] = [:]

    static func schema() throws -> Schema {
        let references = [
            Reference(from: "patient", to: "patients", onDelete: .cascade), Reference(from: "doctors[]", to: "doctors"),
            Reference(from: "next", to: "visits", onDelete: .clear),
        ]
        return try Schema([
            .init("visits", rules: CollectionRules(references: references)), .init("patients"), .init("doctors"),
            .init("holds", indexes: [.unique("slot")], rules: CollectionRules(expiresAt: "endsAt")),
        ])
    }

    func holds(at now: Int64) -> [String] {
        records.filter { $0.key.collection == "holds" && !hasExpired($0.value, at: now) }.map(\.key.id).sorted()
    }

    private func hasExpired(_ record: Record, at now: Int64) -> Bool {
        guard case .date(let date)? = record["endsAt"] else { return false }
        return date.seconds <= now
    }

    /// Applies a transaction, and returns the code of the error that it must fail with.
    mutating func apply(_ steps: [Operation.Change], at now: Int64) -> DataStoreError.Code? {
        var removed: [Key] = []
        for step in steps {
            if let record = step.record, let slot = record["slot"] {
                let others = records.filter { $0.key != step.key && $0.value["slot"] == slot }
                if others.contains(where: { !hasExpired($0.value, at: now) }) { return .notUnique }
                for key in others.keys { records[key] = nil }
            }
            if step.record == nil, records[step.key] != nil { removed.append(step.key) }
            records[step.key] = step.record
        }
        while let key = removed.popLast() {
            if records[key] != nil { continue }
            for (other, record) in records {
                if key.collection == "patients", record["patient"] == .string(key.id) {
                    records[other] = nil
                    removed.append(other)
                } else if key.collection == "visits", record["next"] == .string(key.id) {
                    records[other]?["next"] = nil
                }
            }
        }
        func exists(_ value: Value, in collection: String) -> Bool {
            if case .string(let id) = value { records[Key(stored: id, in: collection)] != nil } else { false }
        }
        let isBroken = records.values.contains { record in
            if let patient = record["patient"], !exists(patient, in: "patients") { return true }
            if let next = record["next"], !exists(next, in: "visits") { return true }
            guard case .array(let doctors)? = record["doctors"] else { return false }
            return doctors.contains { !exists($0, in: "doctors") }
        }
        return isBroken ? .brokenReference : nil
    }
}
