import Testing

extension DataStoreConformance {
    static let keyCases: [DataStoreConformance] = [
        .init("keys contain any text of up to 480 bytes, and differ in each byte") { store in
            // `String` treats the first two pairs, which are composed and decomposed characters, as equal.
            let similar = ["\u{E9}", "e\u{301}", "\u{C5}", "\u{212B}", "a", "A", "a ", "1", "01", " "]
            let others = ["$%41", "CF$UID", "\u{1}\t\r\n\u{7F}\u{FEFF}\u{FFFE}"]
            let long = [String(repeating: "k", count: 479), String(repeating: "é", count: 239)]
            let keys =
                try (similar + others + long).map { try key($0) } + [
                    key("k", in: String(repeating: "c", count: 479)), key("天気/😀 %$.plist", in: "日本 語"),
                    key("$id", in: "$c"), key("$string", in: "$format"), key("\u{2}", in: "\u{1}"),
                ]
            for (number, key) in keys.enumerated() { try await store.put(["n": .integer(Int64(number))], key) }
            for (number, key) in keys.enumerated() {
                try #require(try await store.record(for: key) == ["n": .integer(Int64(number))], "\(key)")
                try #require(try await store.ids(Scan(key.collection)).contains { $0.utf8.elementsEqual(key.id.utf8) })
            }
            #expect(try await store.remove(key("e\u{301}")))
            #expect(try await store.record(for: key("\u{E9}")) != nil)
        },
        .init("an invalid key throws an error and changes nothing") { store in
            for (collection, id) in [
                ("", "id"), ("c", ""), ("c\0", "id"), ("c", "i\0d"), ("c", String(repeating: "k", count: 480)),
                ("c", String(repeating: "é", count: 240)),
            ] {
                await expect(.invalidKey, "\(collection)/\(id)") {
                    try await store.write { transaction in
                        try transaction.put(["a": .bool(true)], for: key("before"))
                        try transaction.put([:], for: Key(collection: collection, id: id))
                    }
                }
            }
            await expect(.invalidKey, "scan") { _ = try await store.ids(Scan("")) }
            let ids = try await store.ids(Scan("c"))
            #expect(ids == [])
        },
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
                let all = try transaction.removeAll(in: Scan("ab"))
                let some = try transaction.removeAll(in: Scan("a", ids: .prefix("x")))
                #expect(all == 2 && some == 1)
                try transaction.put([:], for: key("x", in: "zz"))
                return try transaction.collections()
            }
            #expect(try await store.ids(Scan("a")) == ["y\u{10FFFF}"])
            #expect(bytes(within) == bytes(ordered.filter { $0 != "ab" }.dropLast(2) + ["zz"] + ordered.suffix(2)))
            #expect(try await bytes(store.read { try $0.collections() }) == bytes(within))
            try await store.read { transaction in
                for (name, number) in [("b", 2), ("a", 1), ("ab", 0), ("zz", 1), ("zzz", 0)] {
                    guard let size = try transaction.estimatedCount(of: name) else { continue }
                    #expect(size == (number, true), "the number of records in \(name)")
                }
                #expect(throws: DataStoreError.self) { _ = try transaction.estimatedCount(of: "") }
            }
        },
        .init("scans are in unsigned byte order, with ranges, prefixes and limits in both directions") { store in
            let numbers = (0..<10).flatMap { tens in (0..<10).map { "\(tens)\($0)" } }
            let others = [
                "5", "éa", "\u{1}", " ", "!", "A", "a", "a ", "aa", "ab", "b", "e\u{301}", "z", "\u{7F}", "\u{80}", "é",
                "\u{FFFD}", "\u{10000}", "😀",
            ]
            try await store.put(others + numbers)
            for other in ["b", "d"] { try await store.put(["55"], in: other) }
            let sorted = (numbers + others).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            let ranges: [IDRange] = [
                .all, .prefix("5"), .prefix("é"), .prefix("x"), .prefix(""), .from("55"), .after("55"),
                .all.before("55"), .all.through("55"), .from("5").before("55"), .after("95"), .after("é").before("z"),
                .prefix("5").after("55"), .from("7").before("3"), .from("zz"), .all.before("00"), .all.through("00"),
                .after("99").through("é"),
            ]
            for (range, isReversed) in ranges.flatMap({ [($0, false), ($0, true)] }) {
                let within = try sorted.filter { range.contains($0) }.map { try key($0) }
                for limit in [nil, 0, 1, 3, 1000] {
                    let scan = try Scan("c", ids: range, limit: limit, isReversed: isReversed)
                    let expected = (isReversed ? within.reversed() : within).prefix(limit ?? .max)
                    let found = try await store.read { try $0.records(in: scan).map(\.key) }
                    try #require(found == Array(expected), "\(scan)")
                }
            }
        },
        .init("a scan stops on request, and errors of closures are rethrown") { store in
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
            let failing: [@Sendable (borrowing ReadTransaction) throws -> Void] = [
                { _ in throw Interruption(number: 1) },
                { try $0.forEach(in: Scan("c")) { _, _ in throw Interruption(number: 1) } },
                { _ = try $0.withView(of: key("a")) { _ in throw Interruption(number: 1) } },
            ]
            for body in failing {
                await #expect(throws: Interruption(number: 1)) { try await store.read(body) }
                await #expect(throws: Interruption(number: 1)) { try await store.read(prefetching: key("a"), body) }
            }
        },
    ]
}
