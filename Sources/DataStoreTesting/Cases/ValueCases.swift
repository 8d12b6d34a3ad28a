import DataStoreCore
import Testing

extension DataStoreConformance {
    /// Values of all kinds at the limits of their ranges.
    static let limitValues: [Value] =
        [
            "", " ", "text", "<&>\"'", "tab\tand\nfeed", "\r\n", "\r", "\u{0}", "\u{1}\u{1F}\u{7F}\u{85}", "\u{FEFF}a",
            "\u{FFFE}\u{FFFF}", "\u{10FFFF}", "e\u{301}", "\u{E9}", "👩‍👩‍👧", "天気", " lead and trail ",
            "]]>", "true", "1",
            String(repeating: "long ", count: 10_000),
        ].map(Value.string)
        + [0, 1, -1, 23, 24, 255, 256, 65_535, 65_536, -24, -25, 1 << 32, (1 << 53) + 1, Int64.max, Int64.min]
        .map(Value.integer)
        + [
            0.0, -0.0, 1, -1.5, 0.1, 1.0 / 3, 65_504, 65_505, 100_000, 0x1p-24, 0x1p-25, 3.4028234663852886e38, 1e300,
            .pi, .infinity, -.infinity, .nan, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
            .leastNormalMagnitude,
            .leastNonzeroMagnitude, 9_007_199_254_740_994,
        ].map(Value.real)
        + [true, false].map(Value.bool)
        + [
            (0, 0), (0, 1), (-1, 999_999_999), (1_480_320_000, 123_456_789), (-62_135_596_800, 0),
            (-62_135_596_801, 0), (253_402_300_799, 0), (253_402_300_800, 0), (Int64.max, 999_999_999), (Int64.min, 0),
        ].compactMap { Timestamp(seconds: $0, nanoseconds: $1).map(Value.date) }
        + [[], [0], Array(0...255)].map(Value.data)
        + [
            .array([]), .array([.array([]), .integer(1), .string("a"), .real(1)]), .record([:]),
            .record(["$string": .data([1])]), .record(["$date": .array([])]), .record(["$real": .string("-0.0")]),
            .record(["CF$UID": .integer(1)]), .record(["\u{1}": .bool(true)]),
            .record(["\u{E9}": .integer(1), "e\u{301}": .integer(2)]),
            .record(["a": .record(["b": .array([.record(["c": .data([1, 2])])])])]),
        ]

    /// Returns a value with `depth` nesting levels, which alternate between arrays and records.
    static func nested(_ depth: Int) -> Value {
        (1..<depth).reduce(Value.array([.bool(true)])) { value, level in
            level.isMultiple(of: 2) ? .array([value]) : .record(["r": value])
        }
    }

    static let valueCases: [DataStoreConformance] = [
        DataStoreConformance("values of every kind are read back unchanged") {
            (store: any DataStore) async throws in
            for (number, value) in limitValues.enumerated() {
                let key = try Key(collection: "values", id: "\(number)")
                try await store.put(["value": value, "other": .integer(Int64(number))], key)
                let record = try await store.record(for: key)
                #expect(record == ["value": value, "other": .integer(Int64(number))], "\(value)")
            }
            let all = try Record(limitValues.enumerated().map { ("field \($0)", $1) })
            let key = try Key(collection: "values", id: "all")
            try await store.put(all, key)
            #expect(try await store.record(for: key) == all)
        },
        DataStoreConformance("values are nested at most 64 deep") { (store: any DataStore) async throws in
            let key = try Key(collection: "c", id: "nested")
            try await store.put(["v": nested(Record.maximumDepth)], key)
            #expect(try await store.record(for: key) == ["v": nested(Record.maximumDepth)])
            let error = await expect(.invalidRecord, "too deep") {
                try await store.put(["v": nested(Record.maximumDepth + 1)], key)
            }
            #expect(error?.key == "c/nested")
            #expect(try await store.record(for: key) == ["v": nested(Record.maximumDepth)], "the record is unchanged")
        },
        DataStoreConformance("data has at most 64 MiB") { (store: any DataStore) async throws in
            let key = try Key(collection: "c", id: "large")
            let bytes = [UInt8](repeating: 0xA7, count: Record.maximumByteCount)
            try await store.put(["data": .data(bytes)], key)
            #expect(try await store.record(for: key)?["data"] == .data(bytes))
            _ = await expect(.invalidRecord, "too large") {
                try await store.put(["data": .data(bytes), "more": .bool(true)], key)
            }
            #expect(try await store.record(for: key)?.count == 1, "the record is unchanged")
        },
        DataStoreConformance("a field without a name is rejected") { (store: any DataStore) async throws in
            let key = try Key(collection: "c", id: "id")
            _ = await expect(.invalidRecord, "empty name") { try await store.put(["": .bool(true)], key) }
            _ = await expect(.invalidRecord, "empty name in a nested record") {
                try await store.put(["a": .array([.record(["": .bool(true)])])], key)
            }
            #expect(try await store.record(for: key) == nil)
        },
    ]
}
