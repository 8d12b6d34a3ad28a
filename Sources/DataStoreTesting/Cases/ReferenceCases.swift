import Testing

extension DataStoreConformance {
    // `ruleModelCases` has deletions that cascade, and deletions that clear references.
    static let referenceCases: [DataStoreConformance] = [
        .init("a record cannot refer to a missing one, and a restricted deletion fails, in any program") { store in
            try await clinic(.restrict, in: store).put([:], patient("p"))
            for writer in [try clinic(.restrict, in: store), SchemaStore(store)] {
                let error = try await writer.expectRejected(
                    ["patient": .string("q")], visit("1"), .brokenReference, naming: "visits/1", "patients/q")
                #expect(error?.conflict.map { "\($0.collection)/\($0.id) \($0.fields)" } == "patients/q [\"patient\"]")
                try await writer.put(["patient": .string("p")], visit("1"))
                try await writer.put([:], visit("2"))
                for other: Value in [.string("q"), .integer(7)] {
                    try await writer.expectRejected(["patient": other], visit("2"), .brokenReference)
                }
                let restricted = await expect(.brokenReference, "restricted") { try await writer.remove(patient("p")) }
                #expect(restricted?.key == "patients/p" && restricted?.conflict?.collection == "visits")
                #expect(try await writer.record(for: patient("p")) == [:])
            }
            #expect(try await SchemaStore(store).brokenReferences().isEmpty)
        },
        .init("records refer to records with integer ids, and to those of an array") { store in
            let reference = Reference(from: "legs[].ship", to: "ships", onDelete: .clear)
            let schema = try Schema([.init("trips", rules: CollectionRules(references: [reference])), .init("ships")])
            let writer = SchemaStore(store, schema: schema)
            let trip = try key("t", in: "trips")
            @Sendable func legs(_ ships: Int64?...) -> Record {
                ["legs": .array(ships.map { .record($0.map { ["ship": .integer($0)] } ?? [:]) })]
            }
            await expect(.brokenReference, "no ship 2") {
                try await writer.write { transaction in
                    try transaction.put([:], for: key("1", in: "ships"))
                    try transaction.put(legs(1, 2), for: trip)
                }
            }
            try await writer.put(["1", "2"], in: "ships")
            try await writer.put(legs(1, 2, 1), trip)
            try await writer.remove(key("1", in: "ships"))
            #expect(try await store.record(for: trip) == legs(nil, 2, nil))
        },
        .init("a reference that existing records break is not declared, and the error lists them") { store in
            let older = SchemaStore(store)
            try await older.put((0..<30).map { ("\(100 + $0)", ["patient": .string("p\($0)")]) }, in: "visits")
            try await older.put([:], patient("p7"))
            let writer = try clinic(.cascade, in: store)
            let texts = ["29 references", "visits/106 to patients/p6"]
            let error = await expect(.brokenReference, "29 are broken", naming: texts) {
                try await writer.declareRules()
            }
            #expect(error?.description.contains("visits/107") == false)
            // The first write declares it, too.
            try await writer.expectRejected([:], patient("p8"), .brokenReference)
            try await older.put(["patient": .string("none")], visit("200"))
            try await older.write { transaction in
                for id in 0..<31 where id != 7 { try transaction.remove(visit(id == 30 ? "200" : String(100 + id))) }
            }
            try await writer.declareRules()
            #expect(try await older.remove(patient("p7")))
            #expect(try await store.ids(Scan("visits")) == [])
            #expect(try await older.removeRules(of: "visits"))
            #expect(try await !older.removeRules(of: "visits"))
            try await older.put(["patient": .string("none")], visit("1"))
        },
        .init(
            "broken references are repaired by their rules, also before they are declared",
            for: [Reference.DeletionRule.clear, .cascade, .restrict]
        ) { store, rule in
            let writer = try clinic(rule, in: store)
            let others: Record = ["others": .array([.string("p")])]
            try await store.put([:], patient("p"))
            try await store.put(["b": ["visit": .string("1")]], in: "bills")
            try await store.put(
                [
                    "0": ["patient": .string("p")], "1": ["patient": .string("q"), "next": .string("none")],
                    "2": ["others": .array(["q", "p", "r"].map(Value.string))],
                ], in: "visits")
            let before = try await store.entries(of: "visits")
            let trial = try await writer.repairReferences(isDryRun: true)
            let text = trial.joined(separator: "\n")
            #expect(text.contains("1 references of visits by patient to missing records of patients"))
            // The rule cascade deletes the visit with all its references.
            #expect(text.contains("visits/1 refers by next to visits/none") == (rule != .cascade), "\(text)")
            #expect(try await store.entries(of: "visits") == before)
            let report = try await writer.repairReferences()
            #expect(report.count >= trial.count)
            let left = try await store.entries(of: "visits").map(\.record)
            switch rule {
            case .cascade: #expect(left == [["patient": .string("p")], others])
            case .clear: #expect(left == [["patient": .string("p")], ["next": .string("none")], others])
            case .restrict: #expect(left == before.prefix(2).map(\.record) + [others])
            }
            // The repair of the visit 1 by cascade has broken the reference of its bill.
            #expect(try await store.ids(Scan("bills")) == (rule == .cascade ? [] : ["b"]))
            try await writer.repairReferences(restricted: .clear)
            #expect(try await writer.repairReferences(isDryRun: true).isEmpty)
            try await writer.declareRules()
            #expect(try await SchemaStore(store).brokenReferences().isEmpty)
        },
        .init("a repair deletes a whole chain of records, and leaves other records alone", for: [20, 60]) {
            store, count in
            let rules = CollectionRules(references: [
                Reference(from: "parent", to: "parts", onDelete: .cascade),
                Reference(from: "others[]", to: "parts", onDelete: .clear),
            ])
            var schema = try Schema([.init("parts", rules: rules)])
            schema.indexStepCount = 20
            let writer = SchemaStore(store, schema: schema)
            // Each part precedes its parent, so a scan finds one broken reference at its end.
            try await store.put(
                (0..<count).map { ("\(1000 - $0)", ["parent": .string("\(1001 - $0)")]) }, in: "parts")
            let others = ["\(1000 - 3)", "gone", "kept"].map(Value.string)
            try await store.put(["0": ["others": .array(others)], "kept": [:]], in: "parts")
            let report = try await writer.repairReferences()
            #expect(report.last?.hasPrefix("\(count - 1) records of parts that referred") == true, "\(report)")
            let left = try await store.entries(of: "parts")
            #expect(left.map(\.key.id) == ["0", "kept"] && left[0].record == ["others": .array([.string("kept")])])
            try await writer.declareRules()
            #expect(try await SchemaStore(store).brokenReferences().isEmpty)
        },
        .init("a program does not touch a collection with a rule that it does not know") { store in
            try await clinic(.restrict, in: store).put([:], patient("p"))
            try await store.write { transaction in
                var catalogue = try #require(try transaction.record(for: IndexState.storeCatalogue))
                guard case .record(var rules)? = catalogue[IndexState.rulesField] else { throw Interruption(number: 1) }
                rules["patients"] = .record(["colour": .string("blue")])
                catalogue[IndexState.rulesField] = .record(rules)
                try transaction.backend.put(catalogue, for: IndexState.storeCatalogue)
            }
            for writer in [try clinic(.restrict, in: store), SchemaStore(store)] {
                try await writer.expectRejected([:], patient("q"), .unsupportedFormat)
                await expect(.unsupportedFormat, "a query") {
                    _ = try await writer.read { try $0.count(matching: RecordQuery("patients")) }
                }
                try await writer.put(["other"])
            }
        },
    ]

    /// The requirements whose checks need thousands of records. ``persistent`` contains them, and ``volatile``
    /// does not. A store that searches linearly takes a long time to pass them.
    public static let large: [DataStoreConformance] = [
        .init("a deletion that cascades to many records is one transaction") { store in
            let writer = try clinic(.cascade, in: store)
            try await writer.put([:], patient("p"))
            try await writer.put((0..<2500).map { ("\($0)", ["patient": .string("p")]) }, in: "visits")
            try await writer.put((0..<10).map { ("\($0)", ["visit": .string("\($0)")]) }, in: "bills")
            try await writer.buildIndexes()
            var schema = try Schema(clinic(.cascade))
            schema.maximumCascadeCount = 2000
            let limited = SchemaStore(store, schema: schema)
            let before = try await store.entries(of: "visits")
            await expect(.full, "a larger cascade", naming: ["more than 2000 records"]) {
                try await limited.remove(patient("p"))
            }
            #expect(try await store.entries(of: "visits") == before)
            try await writer.remove(patient("p"))
            #expect(try await store.read { try $0.collections() } == [])
        }
    ]

    /// Returns collections of patients, of visits that refer to them and to each other, of bills of visits, and of
    /// holds, which expire.
    static func clinic(
        _ rule: Reference.DeletionRule, others: Reference.DeletionRule = .clear
    ) -> [Schema.Collection] {
        let visits = CollectionRules(references: [
            Reference(from: "patient", to: "patients", onDelete: rule), Reference(from: "next", to: "visits"),
            Reference(from: "others[]", to: "patients", onDelete: others),
        ])
        let bills = CollectionRules(references: [Reference(from: "visit", to: "visits", onDelete: .cascade)])
        return [
            .init("patients"), .init("visits", rules: visits), .init("bills", rules: bills),
            .init("holds", indexes: [.unique("slot")], rules: CollectionRules(expiresAt: "endsAt")),
        ]
    }

    private static func clinic(_ rule: Reference.DeletionRule, in store: any DataStore) throws -> SchemaStore {
        SchemaStore(store, schema: try Schema(clinic(rule)))
    }

    @Sendable private static func patient(_ id: String) throws -> Key { try key(id, in: "patients") }
    @Sendable private static func visit(_ id: String) throws -> Key { try key(id, in: "visits") }
}
