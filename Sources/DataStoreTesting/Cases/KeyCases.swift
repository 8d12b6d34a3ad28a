import DataStoreCore
import Testing

extension DataStoreConformance {
    static let keyCases: [DataStoreConformance] = [
        DataStoreConformance("keys contain any text of up to 480 bytes") { (store: any DataStore) async throws in
            let keys = [
                try Key(collection: "c", id: String(repeating: "k", count: 479)),
                try Key(collection: String(repeating: "c", count: 479), id: "k"),
                try Key(collection: "c", id: String(repeating: "é", count: 239)),
                try Key(collection: "日本 語", id: "天気/😀 %$.plist"),
                try Key(collection: "$c", id: "$id"), try Key(collection: "c", id: "$%41"),
                try Key(collection: "c", id: "CF$UID"), try Key(collection: "$format", id: "$string"),
                try Key(collection: "c", id: "\u{1}\t\r\n\u{7F}\u{FEFF}\u{FFFE}"), try Key(collection: "c", id: " "),
                try Key(collection: "\u{1}", id: "\u{2}"),
            ]
            for (number, key) in keys.enumerated() { try await store.put(["n": .integer(Int64(number))], key) }
            for (number, key) in keys.enumerated() {
                try #require(try await store.record(for: key) == ["n": .integer(Int64(number))], "\(key)")
                try #require(try await store.ids(Scan(key.collection)).contains { $0.utf8.elementsEqual(key.id.utf8) })
            }
        },
        DataStoreConformance("keys that differ in one byte are different") { (store: any DataStore) async throws in
            // `String` treats the first two pairs, which are composed and decomposed characters, as equal.
            let ids = ["\u{E9}", "e\u{301}", "\u{C5}", "\u{212B}", "a", "A", "a ", "1", "01"]
            for id in ids {
                try await store.put(["id": .string(id)], Key(collection: "c", id: id))
            }
            for id in ids {
                try #require(try await store.record(for: Key(collection: "c", id: id)) == ["id": .string(id)], "\(id)")
            }
            #expect(try await store.ids(Scan("c")).count == ids.count)
            #expect(try await store.write { try $0.remove(Key(collection: "c", id: "e\u{301}")) })
            #expect(try await store.record(for: Key(collection: "c", id: "\u{E9}")) != nil)
        },
        DataStoreConformance("a missing record is nil, and removing it returns false") {
            (store: any DataStore) async throws in
            let key = try Key(collection: "c", id: "missing")
            #expect(try await store.record(for: key) == nil)
            #expect(try await !store.write { try $0.remove(key) })
            #expect(try await store.ids(Scan("c")) == [])
            try await store.put([:], key)
            #expect(try await store.record(for: key) == Record(), "the empty record exists")
            #expect(try await store.write { try $0.remove(key) })
            #expect(try await store.record(for: key) == nil)
        },
        DataStoreConformance("an invalid key throws an error and changes nothing") {
            (store: any DataStore) async throws in
            for (collection, id) in [
                ("", "id"), ("c", ""), ("c\0", "id"), ("c", "i\0d"), ("c", String(repeating: "k", count: 480)),
                ("c", String(repeating: "é", count: 240)),
            ] {
                _ = await expect(.invalidKey, "\(collection)/\(id)") {
                    try await store.write { transaction in
                        try transaction.put(["a": .bool(true)], for: Key(collection: "c", id: "before"))
                        try transaction.put([:], for: Key(collection: collection, id: id))
                    }
                }
            }
            _ = await expect(.invalidKey, "scan") { _ = try await store.ids(Scan("")) }
            #expect(try await store.ids(Scan("c")) == [])
        },
    ]
}
