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
        + [[], [1], Array(0...255)].map(Value.sealed) + [sealed(blind: 1), sealed(blind: 2), sealed(blind: nil)]
        + [
            .array([]), .array([.array([]), .integer(1), .string("a"), .real(1)]), .record([:]),
            .record(["$string": .data([1])]), .record(["$date": .array([])]), .record(["$real": .string("-0.0")]),
            .record(["$sealed": .data([1])]), .record(["$sealed": .sealed([1])]),
            .record(["CF$UID": .integer(1)]), .record(["\u{1}": .bool(true)]),
            .record(["\u{E9}": .integer(1), "e\u{301}": .integer(2)]),
            .record(["a": .record(["b": .array([.record(["c": .data([1, 2])])])])]),
        ]

    /// Returns a sealed value with a blind of equal bytes, or without a blind.
    static func sealed(blind: UInt8?, _ content: UInt8 = 0) -> Value {
        let header = SealedValue.header(
            keyNumber: 1, fieldID: [UInt8](repeating: 7, count: 16),
            blind: blind.map { [UInt8](repeating: $0, count: SealedValue.blindByteCount) })
        return .sealed(header + [UInt8](repeating: content, count: 28))
    }

    /// Returns a value with `depth` nesting levels, which alternate between arrays and records.
    static func nested(_ depth: Int) -> Value {
        (1..<depth).reduce(Value.array([.bool(true)])) { value, level in
            level.isMultiple(of: 2) ? .array([value]) : .record(["r": value])
        }
    }

    static let valueCases: [DataStoreConformance] = [
        .init(at: "values of every kind are unchanged in records and views, also after reopening") { subject in
            let names = ["b", "a"].flatMap { letter in
                [1, 7, 8, 15, 16, 254, 255, 256, 300].map { String(repeating: letter, count: $0) }
            }
            let all = try Record(
                limitValues.enumerated().map { ("field \($0)", $1) } + (names + ["\u{E9}"]).map { ($0, .string($0)) })
            let key = try key("all \u{1} e\u{301}")
            let single = limitValues.enumerated().map { number, value in
                (id: "\(number)", record: ["value": value, "other": .integer(Int64(number))] as Record)
            }
            var store = try await subject.open()
            try await store.put(single + [(key.id, all), ("empty", [:])])
            // These names are shorter or longer than the existing ones, or canonically equivalent to one.
            let others = ["", "f", "field", "field 999", "field 1 ", "e\u{301}", String(repeating: "f", count: 300)]
            for _ in 0..<3 {
                for (id, record) in single {
                    #expect(try await store.record(for: Self.key(id)) == record, "\(record.testDescription)")
                }
                #expect(try await store.entries().map(\.record).suffix(2) == [all, [:]])
                #expect(try await store.values(of: all.map(\.name), key) == all.map(\.value))
                #expect(try await store.values(of: others, key) == others.map { _ in nil })
                #expect(try await store.values(of: ["a"], Self.key("none")) == nil)
                let whole: Record? = try await store.read { try $0.withView(of: key) { try $0.record() } }
                #expect(whole == all)
                let scanned: [Value?] = try await store.read { transaction in
                    var scanned: [Value?] = []
                    try transaction.forEachView(in: Scan("c", ids: .from("all"))) { _, view in
                        scanned.append(try view.value(of: "field 1"))
                        return .next
                    }
                    return scanned
                }
                #expect(scanned == [limitValues[1], nil])
                store = try await subject.reopen(store)
            }
            await store.close()
        },
        .init("records that are nested too deep, too large or without a name of a field are rejected") { store in
            let key = try key("a")
            let data = Value.data([UInt8](repeating: 0xA7, count: Record.maximumByteCount))
            for (what, accepted, rejected) in [
                ("too deep", ["v": nested(Record.maximumDepth)], ["v": nested(Record.maximumDepth + 1)]),
                ("too large", ["data": data], ["data": data, "more": .bool(true)]),
                ("an empty name", [:], ["": .bool(true)]),
                ("an empty name in a nested record", [:], ["a": .array([.record(["": .bool(true)])])]),
            ] as [(String, Record, Record)] {
                try await store.put(accepted, key)
                await expect(.invalidRecord, "\(what)", naming: ["c/a"]) { try await store.put(rejected, key) }
                let isUnchanged = try await store.record(for: key) == accepted
                #expect(isUnchanged, "\(what)")
            }
        },
        .init("views can be nested") { store in
            let (outer, inner) = (try key("outer"), try key("inner"))
            try await store.put(["outer": ["a": .integer(1), "b": .integer(2)], "inner": ["a": .integer(3)]])
            let expected: [Value?] = [.integer(1), .integer(3), .integer(2), .integer(2)]
            #expect(try await store.read { transaction in try transaction.nested(outer, inner) } == expected)
            #expect(try await store.write { transaction in try transaction.nested(outer, inner) } == expected)
            let joined: [Value?] = try await store.read { transaction in
                var values: [Value?] = []
                try transaction.forEachView(in: Scan("c")) { _, view in
                    try transaction.withView(of: outer) { outer in
                        values += [try view.value(of: "a"), try outer.value(of: "a")]
                    }
                    return .next
                }
                return values
            }
            #expect(joined == [.integer(3), .integer(1), .integer(1), .integer(1)])
        },
    ]
}

extension DataStore {
    /// Returns the values of fields in a view of a record, or `nil` if the key does not exist.
    fileprivate func values(of names: [String], _ key: Key) async throws -> [Value?]? {
        try await read { try $0.withView(of: key) { view in try names.map { try view.value(of: $0) } } }
    }
}

extension RecordReading where Self: ~Copyable {
    /// Reads fields of an outer record before, during and after a view of an inner record. Returns all values in the
    /// order of the reads, or `nil` if the outer record does not exist.
    fileprivate func nested(_ outer: Key, _ inner: Key) throws -> [Value?]? {
        try withView(of: outer) { view in
            let before = try view.value(of: "a")
            let within = try withView(of: inner) { inner in [try inner.value(of: "a"), try view.value(of: "b")] }
            return [before] + (within ?? []) + [try view.value(of: "b")]
        }
    }
}
