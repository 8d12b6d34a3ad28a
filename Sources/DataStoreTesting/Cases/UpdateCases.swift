import DataStoreCore
import DataStoreQueries
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
        .init("observers always receive the newest state") { store in
            try await observe(reading: store, writing: store)
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
                try await store.put([:], Key(collection: "other", id: "a"))
                try await store.write { _ = try $0.remove(key) }
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
        .init("closing ends the updates of observers") { store in
            let key = try key("a")
            let isWaiting = Flag()
            let task = Task {
                var states = store.updates(of: key).makeAsyncIterator()
                _ = try await states.next()
                isWaiting.raise()
                let (last, afterwards) = (try await states.next(), try await states.next())
                return last == nil && afterwards == nil
            }
            try await until { isWaiting.isRaised }
            await store.close()
            let watchdog = Task {
                try await Task.sleep(for: timeout)
                Issue.record("an observer waits for a closed store")
                task.cancel()
            }
            #expect(try await task.value)
            watchdog.cancel()
            var states = store.updates(of: key).makeAsyncIterator()
            #expect(try await states.next() == .none, "a closed store delivers no state")
        },
        .init("cancellation ends the updates of an observer") { store in
            let key = try key("a")
            let isWaiting = Flag()
            try await guarding(store) {
                let task = Task {
                    var states = store.updates(of: key).makeAsyncIterator()
                    _ = try await states.next()
                    isWaiting.raise()
                    return try await states.next() == .none
                }
                try await until { isWaiting.isRaised }
                task.cancel()
                #expect(try await task.value)
                // Other observers continue.
                try await store.put(["n": .integer(1)], key)
                var states = store.updates(of: key).makeAsyncIterator()
                #expect(try await states.next() == ["n": .integer(1)])
            }
        },
    ]

    static let persistentUpdateCases: [DataStoreConformance] = [
        .init(locations: "observers receive changes by another store at the location") { makeSubject in
            let subject = try await makeSubject()
            let (reader, writer) = (try await subject.open(), try await subject.open())
            try await observe(reading: reader, writing: writer)
            await writer.close()
            await reader.close()
        }
    ]

    /// The maximum time to wait until an observer is notified or its updates end. A check fails if this time limit is
    /// exceeded. A store should notify observers at once, so the default of 9 minutes is generous.
    @TaskLocal package static var timeout: Duration = .seconds(540)

    /// Runs a check. If the check does not finish within ``timeout``, records a failure and closes the store, which
    /// ends the check.
    static func guarding(_ store: any DataStore, _ body: () async throws -> Void) async throws {
        let watchdog = Task { [timeout] in
            try await Task.sleep(for: timeout)
            Issue.record("an observer was not notified")
            await store.close()
        }
        defer { watchdog.cancel() }
        try await body()
    }

    /// Updates a record many times while two observers watch it. Each observer must receive the states in order, and
    /// the last state that it receives must be the final one.
    private static func observe(reading reader: any DataStore, writing writer: any DataStore) async throws {
        let key = try Key(collection: "observed", id: "a")
        let last: Int64 = 30
        try await guarding(reader) {
            try await withThrowingTaskGroup(of: [Int64].self) { group in
                group.addTask {
                    var states: [Int64] = []
                    for try await record in reader.updates(of: key) {
                        states.append(number(record))
                        if states.last == last { break }
                    }
                    return states
                }
                group.addTask {
                    var states: [Int64] = []
                    for try await entries in reader.updates(in: try Scan("observed")) {
                        states.append(number(entries.first?.record))
                        if states.last == last { break }
                    }
                    return states
                }
                group.addTask {
                    for number in 1...last {
                        try await writer.put(["n": .integer(number)], key)
                        try await writer.put([:], Key(collection: "other", id: "\(number)"))
                    }
                    return []
                }
                for try await states in group where !states.isEmpty {
                    #expect(states == states.sorted() && Set(states).count == states.count, "each state once, in order")
                    #expect(states.last == last)
                }
            }
        }
    }

    /// Returns the number in an observed record, or 0 if the record does not exist yet.
    private static func number(_ record: Record?) -> Int64 {
        if case .integer(let number) = record?["n"] { number } else { 0 }
    }
}
