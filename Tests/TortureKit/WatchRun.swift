package import DataStoreCore

/// A store that is watched here while the program saves there.
package struct WatchRun {
    /// The record that the program saves a number in, which goes up by one with each save.
    package static func key() throws -> Key { try Key(collection: "watched", id: "n") }

    /// The number in the record; 0 where there is none.
    package static func number(_ record: Record?) -> Int64 {
        if case .integer(let number) = record?["n"] { number } else { 0 }
    }

    private let subject: any TortureSubject
    private let store: any DataStore

    /// Opens the store.
    package init(_ subject: any TortureSubject) async throws {
        self.subject = subject
        store = try await subject.open()
    }

    /// Has the program save a thousand times, and watches by key and by scan: the last state must be seen, and none
    /// twice or before an earlier one.
    ///
    /// - Returns: what is wrong with what the watchers saw, a sentence each.
    package func mistakes() async throws -> [String] {
        let saveCount: Int64 = 1000
        let all = try await states(saveCount: saveCount)
        print("watched: \(all.map(\.count)) of \(saveCount) states")
        var mistakes = all.count == 2 ? [] : ["\(all.count) watchers ended, not 2"]
        for states in all {
            if states.last != saveCount { mistakes.append("the last state is \(states.last ?? 0)") }
            if states != states.sorted() { mistakes.append("states went backwards: \(states)") }
            if Set(states).count != states.count { mistakes.append("a state was told twice: \(states)") }
        }
        return mistakes
    }

    /// What the watchers saw, each up to the last state or to where it saw no more.
    private func states(saveCount: Int64) async throws -> [[Int64]] {
        let (subject, store) = (subject, store)
        return try await withThrowingTaskGroup(of: [Int64]?.self) { group in
            group.addTask {
                var states: [Int64] = []
                for try await record in store.updates(of: try Self.key()) {
                    states.append(Self.number(record))
                    if states.last == saveCount { break }
                }
                return states
            }
            group.addTask {
                var states: [Int64] = []
                for try await entries in store.updates(in: try Scan("watched")) {
                    states.append(Self.number(entries.first?.record))
                    if states.last == saveCount { break }
                }
                return states
            }
            group.addTask {
                let arguments = subject.storeArguments + ["saves", subject.path, "\(saveCount)"]
                let outcome = try await TortureProgram.run(arguments)
                return outcome.isDone ? nil : [-1]
            }
            // A watcher that is not told would wait for ever.
            let watchdog = Task {
                try await Task.sleep(for: .seconds(900))
                await store.close()
            }
            let states = try await group.reduce(into: [[Int64]]()) { all, states in
                if let states { all.append(states) }
            }
            watchdog.cancel()
            await store.close()
            return states
        }
    }
}
