import Testing

extension DataStoreConformance {
    package static let updateCases: [DataStoreConformance] = [
        .init("a change changes the generation") { store in
            let key = try key("a")
            var seen: Set<UInt64> = [try await store.generation()]
            for number in 0..<20 {
                try await store.put(["n": .integer(Int64(number))], key)
                try #require(seen.insert(try await store.generation()).inserted)
            }
            let last = try await store.generation()
            _ = try await store.record(for: key)
            #expect(try await store.generation() == last, "a read does not change the generation")
        },
        .init(at: "observers receive the states in order, also those by another store at the location") { subject in
            let (reader, other) = (try await subject.open(), try await subject.open())
            let writers = subject.isPersistent ? [reader, other] : [reader]
            for (number, writer) in writers.enumerated() {
                let key = try key("a", in: "observed \(number)")
                let last: Int64 = 30
                try await guarding(reader) {
                    try await concurrently(3) { task in
                        switch task {
                        case 0: try await expectStates(reader.updates(of: key), last)
                        case 1:
                            let lists = reader.updates(in: Scan(stored: key.collection))
                            try await expectStates(lists.map { $0.first?.record }, last)
                        default:
                            for number in 1...last {
                                try await writer.put(["n": .integer(number)], key)
                                try await writer.put(["\(number)"], in: "other")
                            }
                        }
                    }
                }
            }
            await other.close()
            await reader.close()
        },
        .init("a slow observer receives the newest state, and no state twice") { store in
            let key = try key("a")
            try await guarding(store) {
                var states = store.updates(of: key).makeAsyncIterator()
                #expect(try await states.next() == .some(nil))
                for number in 1...100 { try await store.put(["n": .integer(Int64(number))], key) }
                #expect(try await states.next() == ["n": .integer(100)])
                // Neither a write without effect nor a change to another record produces an element.
                try await store.put(["n": .integer(100)], key)
                try await store.put(["a"], in: "other")
                try await store.remove(key)
                #expect(try await states.next() == .some(nil))
            }
        },
        .init("an observed query runs again when its collection changes") { store in
            try await guarding(store) {
                let query = RecordQuery(
                    "c", where: .compare(QueryField("n"), .greater, .integer(10)), sort: [.descending(QueryField("n"))],
                    limit: 2)
                let updates = store.updates(within: .collection("c")) { try $0.records(matching: query) }
                var pages = updates.makeAsyncIterator()
                #expect(try await pages.next()?.entries == [])
                for (number, ids) in [(11, ["11"]), (30, ["30", "11"]), (20, ["30", "20"])] {
                    // This record does not match the query.
                    try await store.put(["n": .integer(Int64(-number))], key("\(-number)"))
                    try await store.put(["n": .integer(Int64(number))], key("\(number)"))
                    #expect(try await pages.next()?.entries.map(\.key.id) == ids)
                }
            }
        },
        .init("closing and cancellation end the updates of an observer", for: [true, false]) { store, isClosing in
            let (key, isWaiting) = (try key("a"), Flag())
            let observer = Task {
                var states = store.updates(of: key).makeAsyncIterator()
                _ = try await states.next()
                isWaiting.raise()
                let (last, afterwards) = (try await states.next(), try await states.next())
                return last == nil && afterwards == nil
            }
            try await until { isWaiting.isRaised }
            try await guarding(store, cancelling: observer) {
                if isClosing { await store.close() } else { observer.cancel() }
                #expect(try await observer.value)
                // Other observers continue after a cancellation.
                if !isClosing { try await store.put(["n": .integer(1)], key) }
                var states = store.updates(of: key).makeAsyncIterator()
                let next = try await states.next()
                #expect(next == (isClosing ? nil : .some(["n": .integer(1)])))
            }
        },
    ]

    /// The maximum time to wait until an observer is notified or its updates end. A check fails if this time limit is
    /// exceeded. A store should notify observers at once, so the default of 9 minutes is generous.
    @TaskLocal package static var timeout: Duration = .seconds(540)

    /// Runs a check. If the check does not finish within ``timeout``, records a failure, cancels the task of an
    /// observer and closes the store, which ends the check.
    static func guarding(
        _ store: any DataStore, cancelling observer: Task<Bool, any Error>? = nil, _ body: () async throws -> Void
    ) async throws {
        let watchdog = Task { [timeout] in
            try await Task.sleep(for: timeout)
            Issue.record("an observer was not notified")
            observer?.cancel()
            await store.close()
        }
        defer { watchdog.cancel() }
        try await body()
    }

    /// Expects that an observer receives the states of a record in order, and finally the state with the number `last`.
    private static func expectStates(_ records: some AsyncSequence<Record?, any Error>, _ last: Int64) async throws {
        var states: [Int64] = []
        for try await record in records {
            states.append(record?.number() ?? 0)
            if states.last == last { break }
        }
        #expect(states == states.sorted() && Set(states).count == states.count, "each state once, in order")
        #expect(states.last == last)
    }
}
