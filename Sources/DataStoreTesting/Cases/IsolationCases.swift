import Testing

extension DataStoreConformance {
    static let isolationCases: [DataStoreConformance] = [
        .init("a read sees one snapshot and blocks no write") { store in
            try await Flag.isBlocking.raiseAlone()
            defer { Flag.isBlocking.lower() }
            let keys = [try key("a"), try key("b")]
            try await store.put(["a": ["n": .integer(1)], "b": ["n": .integer(1)]])
            let (hasBegun, hasWritten) = (Flag(), Flag())
            try await concurrently(2) { task in
                guard task == 0 else {
                    try await until { hasBegun.isRaised }
                    try await store.put(["a": ["n": .integer(2)], "b": ["n": .integer(2)], "c": [:]])
                    return hasWritten.raise()
                }
                try await store.read { transaction in
                    let first = try transaction.record(for: keys[0])
                    hasBegun.raise()
                    // The closure cannot suspend, so it keeps its thread until the write is committed.
                    hasWritten.wait()
                    #expect(hasWritten.isRaised, "the write waits for the read")
                    let second = try transaction.record(for: keys[1])
                    let count = try transaction.records(in: Scan("c")).count
                    #expect(first == ["n": .integer(1)])
                    #expect(second == ["n": .integer(1)])
                    #expect(count == 2)
                }
            }
            #expect(try await store.record(for: keys[1]) == ["n": .integer(2)])
        },
        .init("a read may prefetch any record") { store in
            let keys = try ["a", "b", "none"].map { try key($0) }
            let records: [Record?] = [["n": .integer(1)], ["n": .integer(2)], nil]
            try await store.put(["a": ["n": .integer(1)], "b": ["n": .integer(2)]])
            for prefetched in keys {
                for first in 0..<3 {
                    let order = [first, 0, 1, 2, 0]
                    let found = try await store.read(prefetching: prefetched) { transaction in
                        try order.map { try transaction.record(for: keys[$0]) }
                    }
                    let expected = order.map { records[$0] }
                    #expect(found == expected)
                }
                let scanned = try await store.read(prefetching: prefetched) { transaction in
                    try [transaction.records(in: Scan("c")), transaction.records(in: Scan("c", limit: 1))].map(\.count)
                }
                #expect(scanned == [2, 1])
                let number = try await store.read(prefetching: prefetched) { _ in 3 }
                #expect(number == 3)
            }
        },
    ]
}
