import DataStoreCore
import DataStoreQueries
import Testing

extension DataStoreConformance {
    static let referenceCases: [DataStoreConformance] = [
        .init("a record cannot refer to a missing one, whichever program writes it") { store in
            try await clinic(.restrict, in: store).put([:], patient("p"))
            for writer in [try clinic(.restrict, in: store), SchemaStore(store)] {
                let error = await expect(.brokenReference, "a missing patient") {
                    try await writer.put(["patient": .string("q")], visit("1"))
                }
                #expect(error?.description.contains("visits/1") == true)
                #expect(error?.description.contains("patients/q") == true)
                #expect(error?.conflict.map { "\($0.collection)/\($0.id) \($0.fields)" } == "patients/q [\"patient\"]")
                try await writer.put(["patient": .string("p")], visit("1"))
                try await writer.put([:], visit("2"))
                await expect(.brokenReference, "a changed reference") {
                    try await writer.put(["patient": .string("q")], visit("2"))
                }
                await expect(.brokenReference, "no id") { try await writer.put(["patient": .integer(7)], visit("2")) }
            }
            #expect(try await SchemaStore(store).brokenReferences().isEmpty)
        },
        .init("a deletion is restricted, cascades, or clears what refers to the record") { store in
            for rule in [Reference.DeletionRule.restrict, .cascade, .clear] {
                let writer = try clinic(rule, in: store)
                try await writer.declareRules()
                try await writer.write { transaction in
                    for id in ["p", "q"] { try transaction.put([:], for: patient(id)) }
                    let records: [Record] = [
                        ["patient": .string("p"), "n": .integer(1)], ["patient": .string("q")],
                        ["patient": .string("p"), "others": .array([.string("p"), .string("q")])], [:],
                    ]
                    for (id, record) in records.enumerated() { try transaction.put(record, for: visit("\(id)")) }
                    try transaction.put(["visit": .string("0")], for: Key(collection: "bills", id: "b"))
                }
                let other = SchemaStore(store)
                guard rule != .restrict else {
                    let error = await expect(.brokenReference, "restricted") {
                        try await other.remove(patient("p"))
                    }
                    #expect(error?.key == "patients/p")
                    #expect(error?.conflict?.collection == "visits")
                    #expect(try await other.record(for: patient("p")) == [:])
                    continue
                }
                #expect(try await other.remove(patient("p")))
                let left = try await store.read { try $0.records(in: Scan("visits")) }
                if rule == .cascade {
                    #expect(left.map(\.key.id) == ["1", "3"])
                    // A bill belongs to a visit that was deleted.
                    #expect(try await store.ids(Scan("bills")) == [])
                } else {
                    #expect(
                        left.map(\.record) == [
                            ["n": .integer(1)], ["patient": .string("q")], ["others": .array([.string("q")])], [:],
                        ])
                    #expect(try await store.ids(Scan("bills")) == ["b"])
                }
                #expect(try await other.brokenReferences().isEmpty)
                for report in try await other.checkIndexes() { #expect(report.matchesRecords, "\(report)") }
                try await other.write { transaction in
                    for name in ["bills", "visits", "patients"] { try transaction.removeAll(in: Scan(name)) }
                }
            }
        },
        .init("records refer to records with integer ids, and to those of an array") { store in
            let reference = Reference(from: "legs[].ship", to: "ships", onDelete: .clear)
            let schema = try Schema([.init("trips", rules: CollectionRules(references: [reference])), .init("ships")])
            let writer = SchemaStore(store, schema: schema)
            @Sendable func ship(_ id: String) throws -> Key { try Key(collection: "ships", id: id) }
            let trip = try Key(collection: "trips", id: "t")
            @Sendable func legs(_ ships: Int64?...) -> Record {
                ["legs": .array(ships.map { .record($0.map { ["ship": .integer($0)] } ?? [:]) })]
            }
            await expect(.brokenReference, "no ship 2") {
                try await writer.write { transaction in
                    try transaction.put([:], for: ship("1"))
                    try transaction.put(legs(1, 2), for: trip)
                }
            }
            try await writer.write { transaction in
                for id in ["1", "2"] { try transaction.put([:], for: ship(id)) }
                try transaction.put(legs(1, 2, 1), for: trip)
            }
            try await writer.remove(ship("1"))
            #expect(try await store.record(for: trip) == legs(nil, 2, nil))
        },
        .init("a reference that existing records break is not declared, and the error lists them") { store in
            let older = SchemaStore(store)
            for id in 0..<30 { try await older.put(["patient": .string("p\(id)")], visit(String(100 + id))) }
            try await older.put([:], patient("p7"))
            let writer = try clinic(.cascade, in: store)
            let error = await expect(.brokenReference, "29 are broken") { try await writer.declareRules() }
            #expect(error?.description.contains("29 references") == true)
            #expect(error?.description.contains("visits/106 to patients/p6") == true)
            #expect(error?.description.contains("visits/107") == false)
            await expect(.brokenReference, "the first write declares it, too") {
                try await writer.put([:], patient("p8"))
            }
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
        .init("broken references are repaired by their rules, also before they are declared") { store in
            for rule in [Reference.DeletionRule.clear, .cascade, .restrict] {
                let writer = try clinic(rule, in: store)
                try await store.write { transaction in
                    try transaction.put([:], for: patient("p"))
                    let records: [Record] = [
                        ["patient": .string("p")], ["patient": .string("q"), "next": .string("none")],
                        ["others": .array(["q", "p", "r"].map(Value.string))],
                    ]
                    for (id, record) in records.enumerated() { try transaction.put(record, for: visit("\(id)")) }
                    try transaction.put(["visit": .string("1")], for: Key(collection: "bills", id: "b"))
                }
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
                let others: Record = ["others": .array([.string("p")])]
                let bills = try await store.ids(Scan("bills"))
                switch rule {
                case .cascade:
                    #expect(left == [["patient": .string("p")], others])
                    // The repair of the visit has broken the reference of its bill.
                    #expect(bills.isEmpty)
                case .clear: #expect(left == [["patient": .string("p")], ["next": .string("none")], others])
                case .restrict: #expect(left == before.prefix(2).map(\.record) + [others] && bills == ["b"])
                }
                try await writer.repairReferences(restricted: .clear)
                #expect(try await writer.repairReferences(isDryRun: true).isEmpty)
                try await writer.declareRules()
                #expect(try await SchemaStore(store).brokenReferences().isEmpty)
                try await store.write { transaction in
                    for name in ["bills", "visits", "patients"] { try transaction.removeAll(in: Scan(name)) }
                }
                for name in ["bills", "visits"] { try await writer.removeRules(of: name) }
            }
        },
        .init("a repair deletes a whole chain of records, and leaves other records alone") { store in
            let rules = CollectionRules(references: [
                Reference(from: "parent", to: "parts", onDelete: .cascade),
                Reference(from: "others[]", to: "parts", onDelete: .clear),
            ])
            for count in [20, 60] {
                var schema = try Schema([.init("parts", rules: rules)])
                schema.indexStepCount = 20
                let writer = SchemaStore(store, schema: schema)
                @Sendable func part(_ number: Int) throws -> Key {
                    try Key(collection: "parts", id: "\(1000 - number)")
                }
                try await store.write { transaction in
                    // Each part precedes its parent, so a scan finds one broken reference at its end.
                    for number in 0..<count {
                        let parent: Record = ["parent": .string(try part(number - 1).id)]
                        try transaction.put(parent, for: part(number))
                    }
                    let ids = [try part(3).id, "gone", "kept"]
                    let others: Record = ["others": .array(ids.map(Value.string))]
                    try transaction.put(others, for: Key(collection: "parts", id: "0"))
                    try transaction.put([:], for: Key(collection: "parts", id: "kept"))
                }
                let report = try await writer.repairReferences()
                #expect(report.last?.hasPrefix("\(count - 1) records of parts that referred") == true, "\(report)")
                let left = try await store.entries(of: "parts")
                #expect(left.map(\.key.id) == ["0", "kept"] && left[0].record == ["others": .array([.string("kept")])])
                try await writer.declareRules()
                #expect(try await SchemaStore(store).brokenReferences().isEmpty)
                _ = try await store.write { try $0.removeAll(in: Scan("parts")) }
                try await writer.removeRules(of: "parts")
            }
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
                await expect(.unsupportedFormat, "a write") { try await writer.put([:], patient("q")) }
                await expect(.unsupportedFormat, "a query") {
                    _ = try await writer.read { try $0.count(matching: RecordQuery("patients")) }
                }
                try await writer.put([:], Key(collection: "c", id: "other"))
            }
        },
    ]

    static let largeReferenceCases: [DataStoreConformance] = [
        .init("a deletion that cascades to many records is one transaction") { store in
            let writer = try clinic(.cascade, in: store)
            try await writer.write { transaction in
                try transaction.put([:], for: patient("p"))
                for id in 0..<2500 { try transaction.put(["patient": .string("p")], for: visit("\(id)")) }
                for id in 0..<10 {
                    try transaction.put(["visit": .string("\(id)")], for: Key(collection: "bills", id: "\(id)"))
                }
            }
            try await writer.buildIndexes()
            let limited = try clinic(.cascade, in: store, maximumCascadeCount: 2000)
            let before = try await store.entries(of: "visits")
            let error = await expect(.full, "a larger cascade") { try await limited.remove(patient("p")) }
            #expect(error?.description.contains("more than 2000 records") == true)
            #expect(try await store.entries(of: "visits") == before)
            try await writer.remove(patient("p"))
            #expect(try await store.read { try $0.collections() } == [])
        }
    ]

    /// Returns a store of visits that refer to patients, to each other and to other patients, and of bills of visits.
    private static func clinic(
        _ rule: Reference.DeletionRule, in store: any DataStore, maximumCascadeCount: Int = 1_000_000
    ) throws -> SchemaStore {
        let visits = CollectionRules(references: [
            Reference(from: "patient", to: "patients", onDelete: rule), Reference(from: "next", to: "visits"),
            Reference(from: "others[]", to: "patients", onDelete: .clear),
        ])
        let bills = CollectionRules(references: [Reference(from: "visit", to: "visits", onDelete: .cascade)])
        var schema = try Schema([.init("patients"), .init("visits", rules: visits), .init("bills", rules: bills)])
        schema.maximumCascadeCount = maximumCascadeCount
        return SchemaStore(store, schema: schema)
    }

    @Sendable private static func patient(_ id: String) throws -> Key { try Key(collection: "patients", id: id) }
    @Sendable private static func visit(_ id: String) throws -> Key { try Key(collection: "visits", id: id) }
}
