import Testing

extension DataStoreConformance {
    static let expiryCases: [DataStoreConformance] = [
        .init("an expired record meets no query, whichever program asks") { store in
            let clock = TestClock()
            let rules = CollectionRules(expiresAt: "endsAt", owner: "user")
            let schema = try Schema([.init("c", indexes: [.unique("token"), .on("user")], rules: rules)])
            let writer = SchemaStore(store, schema: schema, now: clock.timestamp)
            try await writer.put(
                (0..<10).map { id in
                    ("\(id)", ["user": .string("\(id % 2)"), "endsAt": .date(Timestamp(seconds: Int64(id)))])
                })
            try await writer.put(["user": .string("0")], key("forever"))
            clock.now = 4
            for reader in [writer, SchemaStore(store, now: clock.timestamp)] {
                let all = query(clock)
                #expect(try await reader.ids(all) == ["5", "6", "7", "8", "9", "forever"])
                #expect(try await reader.read { try $0.count(matching: all) } == 6)
                let groups = try await reader.read { try $0.groups(matching: all, by: QueryField("user")).groups }
                #expect(groups.map(\.count) == [3, 3])
                let ofUser = query(clock, where: .compare(QueryField("user"), .equal, .string("1")))
                #expect(try await reader.ids(ofUser) == ["5", "7", "9"])
                #expect(try await reader.read { try $0.count(matching: ofUser) } == 3)
                var latest = query(clock)
                (latest.sort, latest.limit) = ([.ascending(QueryField("endsAt"))], 3)
                #expect(try await reader.ids(latest) == ["forever", "5", "6"])
            }
            // Tools see the record until it is purged.
            #expect(try await store.ids(Scan("c")).count == 11)
            #expect(try await writer.purge() == 5)
            #expect(try await store.ids(Scan("c")).count == 6)
            #expect(try await SchemaStore(store, now: clock.timestamp).purge() == 0)
            #expect(try await writer.checkIndexes().allSatisfy { $0.matchesRecords })
        },
        .init("an expired record counts as missing for references") { store in
            let clock = TestClock()
            let reference = Reference(from: "hold", to: "c", onDelete: .cascade)
            let schema = try Schema([
                .init("c", rules: CollectionRules(expiresAt: "endsAt")),
                .init("visits", rules: CollectionRules(references: [reference])),
            ])
            let writer = SchemaStore(store, schema: schema, now: clock.timestamp)
            let visit = try key("v", in: "visits")
            try await writer.put(["endsAt": .date(Timestamp(seconds: 5))], key("h"))
            try await writer.put(["hold": .string("h")], visit)
            clock.now = 6
            try await writer.expectRejected(["hold": .string("h")], key("w", in: "visits"), .brokenReference)
            #expect(try await writer.brokenReferences().first?.references.first?.from == visit)
            #expect(try await writer.purge() == 1)
            #expect(try await store.read { try $0.collections() } == [])
            let restricted = CollectionRules(references: [Reference(from: "hold", to: "c")])
            await expect(.misuse, "a deletion that nothing can restrict") {
                try await SchemaStore(store, schema: Schema([.init("bills", rules: restricted)])).declareRules()
            }
        },
    ]

    private static func query(_ clock: TestClock, where condition: Condition? = nil) -> RecordQuery {
        var query = RecordQuery("c", where: condition, indexes: [.on("user"), .on("endsAt")])
        query.now = clock.timestamp
        return query
    }
}
