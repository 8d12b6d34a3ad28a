import DataStoreCore
import Testing

extension DataStoreConformance {
    static let viewCases: [DataStoreConformance] = [
        DataStoreConformance("views return single fields of records") { (store: any DataStore) async throws in
            let all = try Record(limitValues.enumerated().map { ("field \($0)", $1) } + [("\u{E9}", .bool(true))])
            let key = try Key(collection: "views", id: "all")
            try await store.put(all, key)
            try await store.put([:], Key(collection: "views", id: "empty"))
            #expect(try await store.values(of: all.map(\.name), key) == all.map(\.value))
            // These names are shorter or longer than the existing ones, or canonically equivalent to one.
            let others = ["", "f", "field", "field 999", "field 1 ", "e\u{301}", String(repeating: "f", count: 300)]
            #expect(try await store.values(of: others, key) == others.map { _ in nil })
            #expect(try await store.values(of: ["a"], Key(collection: "views", id: "none")) == nil)
            let whole: Record? = try await store.read { transaction in
                try transaction.withView(of: key) { view in try view.record() }
            }
            #expect(whole == all)
            let scanned: [Value?] = try await store.read { transaction in
                var scanned: [Value?] = []
                try transaction.forEachView(in: Scan("views")) { _, view in
                    scanned.append(try view.value(of: "field 1"))
                    return .next
                }
                return scanned
            }
            #expect(scanned == [limitValues[1], nil])
        },
        DataStoreConformance("views can be nested and rethrow errors") {
            (store: any DataStore) async throws in
            let (outer, inner) = (try Key(collection: "c", id: "outer"), try Key(collection: "c", id: "inner"))
            try await store.put(["a": .integer(1), "b": .integer(2)], outer)
            try await store.put(["a": .integer(3)], inner)
            let expected: [Value?] = [.integer(1), .integer(3), .integer(2), .integer(2)]
            #expect(try await store.read { transaction in try transaction.nested(outer, inner) } == expected)
            let written = try await store.write { transaction in try transaction.nested(outer, inner) }
            #expect(written == expected)
            let joined = try await store.read { transaction in try transaction.joined(Scan("c"), outer) }
            #expect(joined == [.integer(3), .integer(1), .integer(1), .integer(1)])
            await #expect(throws: Interruption(number: 1)) {
                _ = try await store.read { transaction in
                    try transaction.withView(of: outer) { _ in throw Interruption(number: 1) }
                }
            }
        },
    ]
}

extension DataStore {
    /// Returns the values of fields in a view of a record, or `nil` if the key does not exist.
    fileprivate func values(of names: [String], _ key: Key) async throws -> [Value?]? {
        try await read { transaction in
            try transaction.withView(of: key) { view in
                var values: [Value?] = []
                for name in names { values.append(try view.value(of: name)) }
                return values
            }
        }
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

    /// Reads the field `a` of each scanned record and the field `a` of the record with the key `other`. Both fields are
    /// read while both views are open.
    ///
    /// - Returns: The values of both fields for each scanned record, in the order of the scan.
    fileprivate func joined(_ scan: Scan, _ other: Key) throws -> [Value?] {
        var values: [Value?] = []
        try forEachView(in: scan) { _, view in
            try withView(of: other) { other in
                values += [try view.value(of: "a"), try other.value(of: "a")]
            }
            return .next
        }
        return values
    }
}
