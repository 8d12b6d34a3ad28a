import Testing

extension DataStoreConformance {
    static let persistenceCases: [DataStoreConformance] = [
        .init(at: "stores at one location see each other's writes and lose none") { subject in
            let stores = [try await subject.open(), try await subject.open(), try await subject.open()]
            let key = try key("counter")
            for (number, writer) in stores.enumerated() {
                try await writer.put(["n": .integer(Int64(-number))], key)
                for reader in stores {
                    try #require(try await reader.record(for: key) == ["n": .integer(Int64(-number))])
                }
            }
            try await stores[0].put(["n": .integer(0)], key)
            try await increment(key, in: stores, tasks: 6, times: 20)
            for store in stores { try #require(try await store.record(for: key) == ["n": .integer(120)]) }
            await stores[0].close()
            try await increment(key, in: [stores[1]], tasks: 1, times: 1)
            #expect(try await stores[2].record(for: key) == ["n": .integer(121)], "the others remain open")
            for store in stores { await store.close() }
        },
        .init(at: "a newer format is rejected and left unchanged") { subject in
            try await subject.open().closing { try await $0.put(["a": .bool(true)], key("a")) }
            try await subject.raiseFormatVersion()
            let before = try await subject.snapshot()
            let error = await expect(.unsupportedFormat, "opening") { await (try subject.open()).close() }
            #expect(error?.path != nil)
            #expect(try await subject.snapshot() == before)
        },
        .init(at: "a damaged record throws an error that names its key") { subject in
            let key = try key("damaged")
            let record: Record = ["text": .string("some text that is long enough to be damaged")]
            try await subject.open().closing { try await $0.put(record, key) }
            try await subject.damage(key)
            let before = try await subject.snapshot()
            let uses: KeyValuePairs<String, @Sendable (any DataStore) async throws -> Void> = [
                "reading": { _ = try await $0.record(for: key) },
                "scanning": { _ = try await $0.ids(Scan("c")) },
                "changing": { try await increment(key, in: [$0], tasks: 1, times: 1) },
                "replacing without reading": { try await $0.put(["text": .string("new")], key) },
            ]
            for (what, use) in uses {
                // A store may detect the damage when it opens or when it reads.
                await expect(.corrupted, "\(what)", naming: what == "reading" ? ["c/damaged"] : []) {
                    try await subject.open().closing(after: use)
                }
            }
            #expect(try await subject.snapshot() == before, "the store is unchanged")
        },
    ]
}
