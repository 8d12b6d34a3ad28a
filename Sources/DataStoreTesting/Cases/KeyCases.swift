import DataStoreCore
import Testing

extension DataStoreConformance {
    static let keyCases: [DataStoreConformance] = [
        .init("keys contain any text of up to 480 bytes") { store in
            let keys = [
                try key(String(repeating: "k", count: 479)),
                try Key(collection: String(repeating: "c", count: 479), id: "k"),
                try key(String(repeating: "é", count: 239)),
                try Key(collection: "日本 語", id: "天気/😀 %$.plist"),
                try Key(collection: "$c", id: "$id"), try key("$%41"),
                try key("CF$UID"), try Key(collection: "$format", id: "$string"),
                try key("\u{1}\t\r\n\u{7F}\u{FEFF}\u{FFFE}"), try key(" "),
                try Key(collection: "\u{1}", id: "\u{2}"),
            ]
            for (number, key) in keys.enumerated() { try await store.put(["n": .integer(Int64(number))], key) }
            for (number, key) in keys.enumerated() {
                try #require(try await store.record(for: key) == ["n": .integer(Int64(number))], "\(key)")
                try #require(try await store.ids(Scan(key.collection)).contains { $0.utf8.elementsEqual(key.id.utf8) })
            }
        },
        .init("keys that differ in one byte are different") { store in
            // `String` treats the first two pairs, which are composed and decomposed characters, as equal.
            let ids = ["\u{E9}", "e\u{301}", "\u{C5}", "\u{212B}", "a", "A", "a ", "1", "01"]
            for id in ids { try await store.put(["id": .string(id)], key(id)) }
            for id in ids { try #require(try await store.record(for: key(id)) == ["id": .string(id)], "\(id)") }
            #expect(try await store.ids(Scan("c")).count == ids.count)
            #expect(try await store.write { try $0.remove(key("e\u{301}")) })
            #expect(try await store.record(for: key("\u{E9}")) != nil)
        },
        .init("a missing record is nil, and removing it returns false") { store in
            let key = try key("missing")
            #expect(try await store.record(for: key) == nil)
            #expect(try await !store.write { try $0.remove(key) })
            #expect(try await store.ids(Scan("c")) == [])
            try await store.put([:], key)
            #expect(try await store.record(for: key) == Record(), "the empty record exists")
            #expect(try await store.write { try $0.remove(key) })
            #expect(try await store.record(for: key) == nil)
        },
        .init("an invalid key throws an error and changes nothing") { store in
            for (collection, id) in [
                ("", "id"), ("c", ""), ("c\0", "id"), ("c", "i\0d"), ("c", String(repeating: "k", count: 480)),
                ("c", String(repeating: "é", count: 240)),
            ] {
                _ = await expect(.invalidKey, "\(collection)/\(id)") {
                    try await store.write { transaction in
                        try transaction.put(["a": .bool(true)], for: key("before"))
                        try transaction.put([:], for: Key(collection: collection, id: id))
                    }
                }
            }
            _ = await expect(.invalidKey, "scan") { _ = try await store.ids(Scan("")) }
            let ids = try await store.ids(Scan("c"))
            #expect(ids == [])
        },
    ]

    static let orderCases: [DataStoreConformance] = [
        .init("collections with records are listed in byte order") { store in
            // A store that wraps another one may already contain collections.
            let others = Set(try await store.read { try $0.collections() })
            let names = ["b", "\u{1}", "a\u{1}", "$format", "é", "ab", "a", "e\u{301}", "天"]
            for name in names { try await store.put(["x", "y\u{10FFFF}"], in: name) }
            func bytes(_ names: [String]) -> [[UInt8]] {
                names.filter { !others.contains($0) }.map { Array($0.utf8) }
            }
            let ordered = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            #expect(try await bytes(store.read { try $0.collections() }) == bytes(ordered))
            let within = try await store.write { transaction in
                for id in ["x", "y\u{10FFFF}"] { try transaction.remove(Key(collection: "ab", id: id)) }
                try transaction.put([:], for: Key(collection: "zz", id: "x"))
                return try transaction.collections()
            }
            #expect(bytes(within) == bytes(ordered.filter { $0 != "ab" }.dropLast(2) + ["zz"] + ordered.suffix(2)))
            #expect(try await bytes(store.read { try $0.collections() }) == bytes(within))
            try await store.read { transaction in
                for (name, number) in [("a", 2), ("ab", 0), ("zz", 1), ("zzz", 0)] {
                    guard let size = try transaction.estimatedCount(of: name) else { continue }
                    #expect(size == (number, true), "the number of records in \(name)")
                }
                #expect(throws: DataStoreError.self) { _ = try transaction.estimatedCount(of: "") }
            }
        },
        .init("scans are in unsigned byte order of ids") { store in
            // The ids are in ascending order of their UTF-8 bytes. A prefix comes before the longer text.
            let ids = [
                "\u{1}", " ", "!", "A", "a", "a ", "aa", "ab", "b", "e\u{301}", "z", "\u{7F}", "\u{80}", "\u{E9}",
                "\u{FFFD}", "\u{10000}", "😀",
            ]
            try await store.put(ids.reversed().map { ($0, ["id": .string($0)]) })
            #expect(try await store.ids(Scan("c")) == ids)
            #expect(try await store.ids(Scan("c", isReversed: true)) == ids.reversed())
            let records = try await store.read { try $0.records(in: Scan("c")).map(\.record) }
            #expect(records == ids.map { ["id": .string($0)] })
        },
        .init("scans have ranges, prefixes and limits in both directions") { store in
            let ids = (0..<10).flatMap { tens in (0..<10).map { "\(tens)\($0)" } } + ["5", "é", "éa", "z"]
            try await store.put(ids)
            for other in ["b", "d"] { try await store.put(["55"], in: other) }
            let sorted = ids.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            let ranges: [IDRange] = [
                .all, .prefix("5"), .prefix("é"), .prefix("x"), .prefix(""), .from("55"), .after("55"),
                .all.before("55"),
                .all.through("55"), .from("5").before("55"), .after("95"), .after("é").before("z"),
                .prefix("5").after("55"),
                .from("7").before("3"), .from("zz"), .all.before("00"), .all.through("00"), .after("99").through("é"),
            ]
            for range in ranges {
                let within = sorted.filter { range.contains($0) }
                for limit in [nil, 0, 1, 3, 1000] {
                    let expected = within.prefix(limit ?? .max)
                    try #require(
                        try await store.ids(Scan("c", ids: range, limit: limit)) == Array(expected), "\(range)")
                    let reversed = within.reversed().prefix(limit ?? .max)
                    try #require(
                        try await store.ids(Scan("c", ids: range, limit: limit, isReversed: true)) == Array(reversed),
                        "\(range), reversed")
                }
            }
        },
        .init("a scan stops on request and rethrows errors") { store in
            try await store.put(["a", "b", "c"])
            let seen = try await store.read { transaction in
                var seen: [String] = []
                try transaction.forEach(in: Scan("c")) { key, _ in
                    seen.append(key.id)
                    return key.id == "b" ? .stop : .next
                }
                return seen
            }
            #expect(seen == ["a", "b"])
            await #expect(throws: Interruption(number: 1)) {
                try await store.read { transaction in
                    try transaction.forEach(in: Scan("c")) { _, _ in throw Interruption(number: 1) }
                }
            }
        },
    ]
}
