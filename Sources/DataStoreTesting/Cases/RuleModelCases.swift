import Testing

extension DataStoreConformance {
    static let ruleModelCases: [DataStoreConformance] = [
        .init(
            "random transactions with references, expiry and unique fields have the results of a model",
            for: [(.cascade, .restrict), (.clear, .clear), (.restrict, .cascade)]
                as [(Reference.DeletionRule, Reference.DeletionRule)]
        ) { store, rules in
            var generator = SeededGenerator(printedFor: "rules")
            let clock = TestClock()
            var model = RuleModel(collections: clinic(rules.0, others: rules.1))
            let writer = SchemaStore(store, schema: try Schema(model.collections), now: clock.timestamp)
            // It enforces the rules of the other program.
            let other = SchemaStore(store, now: clock.timestamp)
            try await writer.declareRules()
            try await writer.buildIndexes()
            for number in 0..<count(30, full: 200) {
                clock.now += Int64.random(in: 0...1, using: &generator)
                let steps = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                    model.randomChange(at: clock.now, using: &generator)
                }
                let applied = steps.map { "\($0.key) = \($0.record?.testDescription ?? "nil")" }
                let context: Comment = "seed \(generator.seed), transaction \(number): \(applied)"
                var changed = model
                let expected = changed.apply(steps, at: clock.now)
                let error = try await storeError {
                    try await (number.isMultiple(of: 2) ? writer : other).write { transaction in
                        try transaction.apply(steps.map { ($0.key, $0.record) })
                    }
                }
                #expect(error?.code == expected, context)
                if expected == nil { model = changed }
                let records = try await store.read { transaction in
                    try RuleModel.names.flatMap { try transaction.records(in: Scan($0)) }
                }
                let left = model.records.filter { $0.key.collection != "holds" }
                #expect(Dictionary(records.map { ($0.key, $0.record) }) { $1 } == left, context)
                var holds = RecordQuery("holds")
                holds.now = clock.timestamp
                #expect(try await store.ids(holds) == model.holds(at: clock.now), context)
                if error?.code != expected { return }
            }
            #expect(try await other.brokenReferences().isEmpty)
            #expect(try await other.checkIndexes().allSatisfy { $0.matchesRecords })
        }
    ]
}

/// What a store of patients, visits, bills and holds contains if it follows its rules.
private struct RuleModel {
    /// The collections whose records do not expire.
    static let names = ["patients", "visits", "bills"]

    let collections: [Schema.Collection]
    private(set) var records: [Key: Record] = [:]

    func randomChange(at now: Int64, using generator: inout SeededGenerator) -> Operation.Change {
        func randomID(_ name: String) -> String {
            "\(name.prefix(1))\(Int.random(in: 0..<(name == "visits" ? 8 : 4), using: &generator))"
        }
        // Most references are to records that exist.
        func randomTarget(_ name: String) -> String {
            let ids = records.keys.filter { $0.collection == name }.sorted().map(\.id)
            return ids.isEmpty || Int.random(in: 0..<8, using: &generator) == 0 ? randomID(name) : generator.pick(ids)
        }
        let name = generator.pick(Self.names + ["visits", "holds"])
        let key = Key(stored: randomID(name), in: name)
        if Int.random(in: 0..<3, using: &generator) == 0 { return (key, nil) }
        var record = Record()
        if name == "holds" {
            record["slot"] = .integer(Int64.random(in: 0..<3, using: &generator))
            record["endsAt"] = .date(Timestamp(seconds: now + Int64.random(in: 1...20, using: &generator)))
        }
        for reference in references(of: name) where Bool.random(using: &generator) {
            let ids = (0..<2).map { _ in Value.string(randomTarget(reference.target)) }
            record[reference.fieldName] = reference.path.hasSuffix("[]") ? .array(ids) : ids[0]
        }
        return (key, record)
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
            for (other, reference, ids) in referring where ids.contains(key) {
                switch reference.deletionRule {
                case .restrict: break
                case .cascade:
                    records[other] = nil
                    removed.append(other)
                case .clear:
                    let left = ids.filter { $0 != key }.map { Value.string($0.id) }
                    records[other]?[reference.fieldName] = reference.path.hasSuffix("[]") ? .array(left) : nil
                }
            }
        }
        return referring.contains { $0.ids.contains { records[$0] == nil } } ? .brokenReference : nil
    }

    private func references(of name: String) -> [Reference] {
        collections.first { $0.name == name }?.rules.references ?? []
    }

    /// All references of the records, with the keys of the records to which they refer.
    private var referring: [(key: Key, reference: Reference, ids: [Key])] {
        records.flatMap { key, record in
            references(of: key.collection).map { reference in
                let value = record[reference.fieldName]
                let values = if case .array(let elements)? = value { elements } else { [value].compactMap(\.self) }
                let ids = Value.array(values).strings ?? []
                return (key, reference, ids.map { Key(stored: $0, in: reference.target) })
            }
        }
    }
}

extension Reference {
    /// The name of the field without the suffix of an array.
    fileprivate var fieldName: String { String(path.prefix { $0 != "[" }) }
}
