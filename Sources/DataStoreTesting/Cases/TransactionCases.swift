import Synchronization
import Testing

extension DataStoreConformance {
    static let transactionCases: [DataStoreConformance] = [
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
                    #expect(found == order.map { records[$0] })
                }
                let scanned = try await store.read(prefetching: prefetched) { transaction in
                    try [transaction.records(in: Scan("c")), transaction.records(in: Scan("c", limit: 1))].map(\.count)
                }
                #expect(scanned == [2, 1])
                let number = try await store.read(prefetching: prefetched) { _ in 3 }
                #expect(number == 3)
            }
        },
        .init("concurrent read-modify-write loses no update, and a write that throws affects no other") { store in
            let (keys, isOver) = ([try key("a"), try key("z")], Flag())
            try await concurrently(2) { task in
                // Readers see all changes of a write or none.
                while task == 1, !isOver.isRaised {
                    let halves = try await store.read { reader in try keys.map { try reader.record(for: $0) } }
                    #expect(halves[0] == halves[1])
                    await Task.yield()
                }
                if task == 1 { return }
                defer { isOver.raise() }
                // A store that groups commits has successful and failing writes in one group.
                try await concurrently(60) { number in
                    let isFailing = number.isMultiple(of: 3)
                    if isFailing {
                        await store.interruptWrite(number: number) { try $0.put(["n": .integer(-1)], for: keys[0]) }
                    }
                    for _ in 0..<6 where !isFailing {
                        try await store.write { transaction in for key in keys { try transaction.increment(key) } }
                    }
                }
            }
            for key in keys { #expect(try await store.record(for: key) == ["n": .integer(40 * 6)]) }
        },
        .init("a cancelled write is complete or has no effect") { store in
            for number in 0..<50 {
                let key = try key("\(number)")
                let task = Task {
                    if number.isMultiple(of: 2) { await Task.yield() }
                    try await store.put(["a": .bool(true), "b": .bool(true)], key)
                }
                if number.isMultiple(of: 5) { await Task.yield() }
                task.cancel()
                switch await task.result {
                case .success: #expect(try await store.record(for: key)?.count == 2)
                case .failure(let error):
                    #expect(error is CancellationError)
                    #expect(try await store.record(for: key) == nil)
                }
            }
            let cancelled = Task {
                try? await Task.sleep(for: .seconds(300))
                try await store.put([:], key("late"))
            }
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { try await cancelled.value }
            #expect(try await store.record(for: key("late")) == nil)
        },
        .init(
            at: "closing waits for active reads and writes, keeps acknowledged ones, and rejects later ones",
            for: Array(0..<count(3, full: 10))
        ) { subject, _ in
            let store = try await subject.open()
            let acknowledged = Mutex<Set<String>>([])
            try await concurrently(61) { number in
                if number == 60 {
                    for _ in 0..<5 { await Task.yield() }
                    return await store.close()
                }
                let id = "\(number / 2)"
                do {
                    if number.isMultiple(of: 2) {
                        try await store.put([id])
                        return acknowledged.withLock { _ = $0.insert(id) }
                    }
                    for _ in 0..<10 {
                        // The read takes long, so that some reads are pending when the store closes.
                        let records = try await store.read { transaction in
                            try (0..<50).map { _ in try transaction.record(for: key(id)) }
                        }
                        #expect(Set(records).count == 1)
                    }
                } catch let error as DataStoreError where error.code == .closed {}
            }
            await expect(.closed, "read") { _ = try await store.record(for: key("0")) }
            await expect(.closed, "write") { try await store.put([:], key("0")) }
            await store.close()
            guard subject.isPersistent else { return }
            let ids = try await subject.open().closing { try await $0.ids(Scan("c")) }
            #expect(Set(ids) == acknowledged.withLock(\.self))
        },
    ]

    /// The requirements for a store that enqueues its writes in a `WriteQueue`, as the stores of this package do.
    package static let writeQueueCases: [DataStoreConformance] = [
        .init("a write in the closure of another write is rejected and does not hang") { store in
            try await Flag.isBlocking.raiseAlone()
            defer { Flag.isBlocking.lower() }
            let key = try key("a")
            try await store.put([:], key)
            let isRejected = Flag()
            try await store.write { transaction in
                let isDone = Flag()
                // A closure cannot suspend, so a program that calls a save in it blocks its thread.
                Task {
                    defer { isDone.raise() }
                    do {
                        try await store.put(["nested": .bool(true)], key)
                    } catch let error as DataStoreError where error.code == .misuse {
                        isRejected.raise()
                    }
                }
                isDone.wait()
                try transaction.put(["outer": .bool(true)], for: key)
            }
            #expect(isRejected.isRaised)
            #expect(try await store.record(for: key) == ["outer": .bool(true)])
        },
        .init("a cancelled write that waits for another write returns at once") { store in
            try await Flag.isBlocking.raiseAlone()
            defer { Flag.isBlocking.lower() }
            let key = try key("a")
            try await store.put([:], key)
            let (hasBegun, mayEnd) = (Flag(), Flag())
            let blocking = Task {
                try await store.write { transaction in
                    hasBegun.raise()
                    mayEnd.wait()
                    try transaction.put(["n": .integer(1)], for: key)
                }
            }
            try await until { hasBegun.isRaised }
            let waiting = Task { try await store.put(["n": .integer(2)], key) }
            // The error is the same if the write does not wait yet.
            for _ in 0..<3 { await Task.yield() }
            waiting.cancel()
            // The blocking write ends only after this error has arrived.
            await #expect(throws: CancellationError.self) { try await waiting.value }
            mayEnd.raise()
            try await blocking.value
            #expect(try await store.record(for: key) == ["n": .integer(1)])
        },
    ]

    /// Increments the field `n` of a record in many tasks, which use the given stores in turn.
    static func increment(_ key: Key, in stores: [any DataStore], tasks: Int, times: Int) async throws {
        try await concurrently(tasks) { task in
            for _ in 0..<times {
                try await stores[task % stores.count].write { try $0.increment(key) }
            }
        }
    }
}

extension WriteTransaction {
    /// Increments the field `n` of a record.
    fileprivate mutating func increment(_ key: Key) throws {
        try put(["n": .integer((record(for: key)?.number() ?? 0) + 1)], for: key)
    }
}
