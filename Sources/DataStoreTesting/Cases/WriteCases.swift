import Synchronization
import Testing

extension DataStoreConformance {
    static let writeCases: [DataStoreConformance] = [
        .init("concurrent read-modify-write loses no update, and a write that throws affects no other") { store in
            let keys = [try key("a"), try key("z")]
            // A store that groups commits has successful and failing writes in one group.
            try await concurrently(99) { number in
                if number % 3 == 0 {
                    await store.interruptWrite(number: number) { try $0.put(["n": .integer(-1)], for: keys[0]) }
                }
                for _ in 0..<6 {
                    if number % 3 == 1 {
                        try await store.write { transaction in
                            for key in keys { try transaction.increment(key) }
                        }
                    }
                    // Readers see all changes of a write or none.
                    let halves = try await store.read { reader in try keys.map { try reader.record(for: $0) } }
                    #expect(halves[0] == halves[1])
                }
            }
            for key in keys { #expect(try await store.record(for: key) == ["n": .integer(33 * 6)]) }
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
