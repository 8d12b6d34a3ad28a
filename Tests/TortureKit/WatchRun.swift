package import DataStoreCore

/// Observation of a store in this process while the program saves to it.
package struct WatchRun {
    /// Returns the key of the record with the number that the program increments with each save.
    package static func key() throws -> Key { try Key(collection: "watched", id: "n") }

    /// Returns the number in the record, or 0 if it does not exist.
    package static func number(_ record: Record?) -> Int64 {
        if case .integer(let number) = record?["n"] { number } else { 0 }
    }

    private let subject: any TortureSubject
    private let store: any DataStore

    package init(_ subject: any TortureSubject) async throws {
        self.subject = subject
        store = try await subject.open()
    }

    /// Runs the program, which saves a thousand times, and observes a key and a scan. The last state must be delivered,
    /// and no state twice or after a later one.
    ///
    /// - Returns: A sentence for each violation.
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

    /// Returns the states that each observer received, up to the last one or up to a timeout.
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
            // An observer that is not notified would wait forever.
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
