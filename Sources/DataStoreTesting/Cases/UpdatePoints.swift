import DataStoreCore
import Testing

extension DataStoreConformance {
    static let updatePoints: [DataStoreConformance] = [
        DataStoreConformance("the generation is another one after a change") { (store: any DataStore) async throws in
            let key = try Key(collection: "c", id: "a")
            var seen: Set<UInt64> = [try await store.generation()]
            for number in 0..<20 {
                try await store.put(["n": .integer(Int64(number))], key)
                #expect(seen.insert(try await store.generation()).inserted)
            }
            let last = try await store.generation()
            _ = try await store.record(key)
            #expect(try await store.generation() == last, "reading is no change")
        },
        DataStoreConformance("observers learn of changes, the newest always") { (store: any DataStore) async throws in
            try await observe(reading: store, writing: store)
        },
    ]

    static let persistentUpdatePoints: [DataStoreConformance] = [
        DataStoreConformance("observers learn of the changes of another store of the place") { makeSubject in
            let subject = try await makeSubject()
            let (reader, writer) = (try await subject.open(), try await subject.open())
            try await observe(reading: reader, writing: writer)
            await writer.close()
            await reader.close()
        }
    ]

    /// Changes a record many times while two observers look on, and sees that both come to the last state, in order.
    private static func observe(reading reader: any DataStore, writing writer: any DataStore) async throws {
        let key = try Key(collection: "observed", id: "a")
        let last: Int64 = 30
        try await withThrowingTaskGroup(of: [Int64].self) { group in
            group.addTask {
                var states: [Int64] = []
                for try await record in reader.updates(of: key, checkingEvery: .milliseconds(1)) {
                    states.append(number(record))
                    if states.last == last { break }
                }
                return states
            }
            group.addTask {
                var states: [Int64] = []
                for try await entries in reader.updates(in: try Scan("observed"), checkingEvery: .milliseconds(1)) {
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
            // Closing ends the observers, so that a store that tells them nothing fails and does not hang.
            let watchdog = Task {
                try await Task.sleep(for: .seconds(300))
                await reader.close()
            }
            for try await states in group where !states.isEmpty {
                #expect(states == states.sorted() && Set(states).count == states.count, "newer states, each once")
                #expect(states.last == last)
            }
            watchdog.cancel()
        }
    }

    /// The number in an observed record; 0 where there is none yet.
    private static func number(_ record: Record?) -> Int64 {
        if case .integer(let number) = record?["n"] { number } else { 0 }
    }
}
