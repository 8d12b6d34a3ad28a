import DataStoreCore
import DataStoreMemory
import DataStoreTesting
import Testing

@Suite struct RegisteredDefaultsTests {
    private let me: Key
    private let registered: Record = ["mailAddress": .string("info@example.com"), "size": .integer(7)]

    init() throws { me = try Key(collection: "users", id: "me") }

    // MARK: The contract

    @Test(arguments: DataStoreConformance.volatile + DataStoreConformance.telling)
    func keepsTheContractWithNothingRegistered(_ point: DataStoreConformance) async throws {
        try await point.check { VolatileSubject { try RegisteredDefaults(over: MemoryDataStore(), registering: []) } }
    }

    @Test(arguments: DataStoreConformance.volatile + DataStoreConformance.telling)
    func keepsTheContractForWhatIsNotRegistered(_ point: DataStoreConformance) async throws {
        let elsewhere = Entry(key: try Key(collection: "elsewhere", id: "a"), record: registered)
        try await point.check {
            VolatileSubject { try RegisteredDefaults(over: MemoryDataStore(), registering: [elsewhere]) }
        }
    }

    // MARK: Layers

    private func layers(_ records: Record...) throws -> (below: MemoryDataStore, store: RegisteredDefaults) {
        let below = MemoryDataStore()
        let entries = (records.isEmpty ? [registered] : records).map { Entry(key: me, record: $0) }
        return (below, try RegisteredDefaults(over: below, registering: entries))
    }

    @Test func whatIsRegisteredIsReadWhereNothingIsStored() async throws {
        let (below, store) = try layers()
        #expect(try await store.record(me) == registered)
        let isThere = try await store.read { [me] in try $0.contains(me) }
        #expect(isThere)
        // Nothing is written by it.
        #expect(try await below.record(me) == nil)
        #expect(try below.generation() == 0)
    }

    @Test func aStoredFieldIsReadAndOthersAreFilledIn() async throws {
        let (below, store) = try layers()
        try await store.put(["size": .real(1), "own": .bool(true)], me)
        let expected: Record = ["mailAddress": .string("info@example.com"), "size": .real(1), "own": .bool(true)]
        #expect(try await store.record(me) == expected)
        let values: [Value?]? = try await store.read { [me] transaction in
            try transaction.withView(of: me) { view in
                [try view.value(of: "mailAddress"), try view.value(of: "size"), try view.value(of: "none")]
            }
        }
        #expect(values == [.string("info@example.com"), .real(1), nil])
        #expect(try await below.record(me) == ["size": .real(1), "own": .bool(true)])
    }

    @Test func anIndexLeadsToWhatIsReadNotToWhatIsStored() async throws {
        let (below, store) = try layers(["size": .integer(7), "name": .string("registered")])
        let indexes = [RecordIndex(by: QueryField("size")), RecordIndex(by: QueryField("name"))]
        let other = try Key(collection: "users", id: "other")
        try await store.write { transaction in
            transaction.maintain(indexes, of: "users")
            try transaction.put(["size": .integer(7)], for: other)
        }
        func ids(_ condition: Condition?, sort: [RecordQuery.SortKey] = []) async throws -> [String] {
            let query = RecordQuery("users", where: condition, sort: sort, indexes: indexes)
            let report = try await store.read { try $0.explain(query) }
            #expect(report.index != nil)
            return try await store.read { try $0.records(matching: query).entries.map(\.key.id) }
        }
        let size = QueryField("size")
        // Stored nowhere, stored in part, and stored as something else.
        #expect(try await ids(.compare(size, .equal, .integer(7))) == ["me", "other"])
        for stored in [["own": .bool(true)], ["size": .integer(1)]] as [Record] {
            try await below.write { [me] transaction in
                transaction.maintain(indexes, of: "users")
                try transaction.put(stored, for: me)
            }
            let isOther = stored["size"] != nil
            #expect(try await ids(.compare(size, .equal, .integer(7))) == (isOther ? ["other"] : ["me", "other"]))
            #expect(try await ids(.compare(size, .less, .integer(7))) == (isOther ? ["me"] : []))
            #expect(try await ids(.not(.exists(QueryField("name")))) == ["other"])
            #expect(try await ids(nil, sort: [.descending(size)]).last == (isOther ? "me" : "other"))
            let reports = try await store.checkIndexes(indexes, of: "users")
            #expect(reports.filter(\.isRight).count == 2)
        }
    }

    @Test func queriesFindWhatIsRegisteredWhereNothingIsStored() async throws {
        let (_, store) = try layers()
        let (size, other) = (QueryField("size"), try Key(collection: "users", id: "other"))
        try await store.put(["size": .integer(3)], other)
        func ids(_ condition: Condition) async throws -> [String] {
            let query = RecordQuery("users", where: condition, sort: [.descending(size)])
            return try await store.read { try $0.records(matching: query) }.entries.map(\.key.id)
        }
        #expect(try await ids(.exists(size)) == ["me", "other"])
        #expect(try await ids(.exists(QueryField("mailAddress"))) == ["me"])
        try await store.put(["size": .integer(1)], me)
        #expect(try await ids(.compare(size, .less, .integer(7))) == ["other", "me"])
        #expect(try await ids(.exists(QueryField("mailAddress"))) == ["me"])
    }

    @Test func aRecordWithinIsOneValue() async throws {
        let (_, store) = try layers(["window": .record(["x": .integer(1), "y": .integer(2)])])
        try await store.put(["window": .record(["x": .integer(5)])], me)
        let found = try await store.record(me)
        #expect(found == ["window": .record(["x": .integer(5)])])
    }

    @Test func aWriteSeesAndChangesWhatIsStored() async throws {
        let (below, store) = try layers()
        let seen: [Record?] = try await store.write { [me] transaction in
            let before = try transaction.record(for: me)
            let scanned = try transaction.records(in: Scan("users")).first?.record
            var record = before ?? Record()
            record["own"] = .bool(true)
            try transaction.put(record, for: me)
            return [before, scanned, try transaction.record(for: me)]
        }
        #expect(seen == [nil, nil, ["own": .bool(true)]])
        #expect(try await below.record(me) == ["own": .bool(true)])
    }

    @Test func whatIsRemovedReadsAsRegisteredAgain() async throws {
        let (_, store) = try layers()
        try await store.put(["size": .integer(1)], me)
        let removals = try await store.write { [me] transaction in
            [try transaction.remove(me), try transaction.remove(me)]
        }
        #expect(removals == [true, false])
        #expect(try await store.record(me) == registered)
        try await store.put(["size": .integer(1)], me)
        let counts = try await store.write { transaction in
            [try transaction.removeAll(in: Scan("users")), try transaction.removeAll(in: Scan("users"))]
        }
        #expect(counts == [1, 0])
    }

    @Test func aValueEqualToARegisteredOneIsStored() async throws {
        // Whoever chose it keeps it, also when a later version of the program registers something else.
        let (below, store) = try layers()
        try await store.put(registered, me)
        let later = try RegisteredDefaults(
            over: below, registering: [Entry(key: me, record: ["size": .integer(8), "new": .bool(true)])])
        let found = try await later.record(me)
        #expect(found == ["mailAddress": .string("info@example.com"), "size": .integer(7), "new": .bool(true)])
    }

    @Test func aWriteCanStartFromWhatAReaderSees() async throws {
        let (_, store) = try layers()
        try await store.write { [me] transaction in
            var record = try transaction.record(for: me) ?? Record()
            guard case .integer(let size) = store.layered(record, for: me)?["size"] else { return }
            record["size"] = .integer(size + 1)
            try transaction.put(record, for: me)
        }
        #expect(try await store.record(me)?["size"] == .integer(8))
        #expect(store.layered(nil, for: me) == registered)
        #expect(store.layered(nil, for: try Key(collection: "users", id: "other")) == nil)
    }

    @Test func entriesOfOneKeyAreTakenTogether() async throws {
        let (_, store) = try layers(["a": .integer(1), "b": .integer(1)], ["b": .integer(2), "c": .integer(2)])
        let found = try await store.record(me)
        #expect(found == ["a": .integer(1), "b": .integer(2), "c": .integer(2)])
    }

    @Test func aRecordThatNoStoreTakesIsNotRegistered() throws {
        let deep = (0...Record.maximumDepth).reduce(Value.bool(true)) { value, _ in .array([value]) }
        #expect {
            _ = try layers(["deep": deep])
        } throws: { error in
            guard let error = error as? DataStoreError else { return false }
            return error.code == .invalidRecord && error.key == "users/me"
        }
    }

    @Test func observersSeeTheLayers() async throws {
        let (_, store) = try layers()
        var states: [Record?] = []
        for try await record in store.updates(of: me) {
            states.append(record)
            if states.count == 1 { try await store.put(["size": .integer(1)], me) }
            if states.count == 2 { try await store.write { [me] in _ = try $0.remove(me) } }
            if states.count == 3 { break }
        }
        let stored: Record = ["mailAddress": .string("info@example.com"), "size": .integer(1)]
        #expect(states == [registered, stored, registered])
    }

    // MARK: Scans

    /// Any records stored and registered, and any scan: as if what is read were stored in one.
    @Test func scansShowBothLayersInOrder() async throws {
        var generator = SeededGenerator()
        print("scans of both layers: seed \(generator.seed)")
        let ids = ["1", "10", "2", "a", "a\u{1}", "\u{E9}", "e\u{301}", "z", "😀"]
        for _ in 0..<200 {
            let (below, merged) = (MemoryDataStore(), MemoryDataStore())
            var entries: [Entry] = []
            for (collection, id) in ["b", "c", "d"].flatMap({ name in ids.map { (name, $0) } }) {
                let key = try Key(collection: collection, id: id)
                let layers = Int.random(in: 0..<4, using: &generator)
                if layers & 1 != 0 { entries.append(Entry(key: key, record: ["a": .integer(1), "b": .integer(1)])) }
                if layers & 2 != 0 { try await below.put(["b": .integer(2)], key) }
                let expected: Record = ["a": .integer(1), "b": .integer(layers == 3 ? 2 : 1)]
                if layers == 2 { try await merged.put(["b": .integer(2)], key) }
                if layers & 1 != 0 { try await merged.put(expected, key) }
            }
            let store = try RegisteredDefaults(over: below, registering: entries.shuffled(using: &generator))
            let (one, other) = (
                ids.randomElement(using: &generator) ?? "a", ids.randomElement(using: &generator) ?? "a"
            )
            let ranges: [IDRange] = [.all, .after(one), .through(one), .from(one).before(other), .prefix("a")]
            for ids in ranges {
                for limit in [nil, 0, 1, 2, 5] as [Int?] {
                    for isReversed in [false, true] {
                        let scan = try Scan("c", ids: ids, limit: limit, isReversed: isReversed)
                        let found = try await store.read { try $0.records(in: scan) }
                        let expected = try merged.read { try $0.records(in: scan) }
                        #expect(found == expected, "seed \(generator.seed), \(scan)")
                    }
                }
            }
        }
    }

    @Test(arguments: 1...5)
    func aScanStopsWhereItIsToldTo(_ number: Int) async throws {
        let below = MemoryDataStore()
        let keys = try ["a", "b", "c", "d", "e"].map { try Key(collection: "c", id: $0) }
        for key in [keys[1], keys[3]] { try await below.put([:], key) }
        let store = try RegisteredDefaults(
            over: below, registering: [0, 2, 3, 4].map { Entry(key: keys[$0], record: registered) })
        let seen = try await store.read { transaction in
            var seen: [Key] = []
            try transaction.forEachView(in: Scan("c")) { key, _ in
                seen.append(key)
                return seen.count == number ? .stop : .next
            }
            return seen
        }
        #expect(seen == Array(keys.prefix(number)))
    }
}

extension DataStore {
    fileprivate func record(_ key: Key) async throws -> Record? { try await read { try $0.record(for: key) } }

    fileprivate func put(_ record: Record, _ key: Key) async throws {
        try await write { try $0.put(record, for: key) }
    }
}
