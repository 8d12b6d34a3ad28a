import DataStoreCore
import DataStoreQueries
import Synchronization
import Testing

extension DataStoreConformance {
    static let observationCases: [DataStoreConformance] = [
        .init("a save notifies exactly the observers of its records") { store in
            let keys = try (0..<1000).map { try Key(collection: "users", id: "\($0)") }
            let (ofKeys, ofAll, ofOthers) = (keys.map { _ in Calls() }, Calls(), Calls())
            let (ofPrefix, ofElse) = (Calls(), Calls())
            try await guarding(store) {
                // The save that creates the store may wake all observers.
                try await store.put([:], Key(collection: "first", id: "a"))
                var observations: [ChangeObservation] = []
                for (key, calls) in zip(keys, ofKeys) {
                    observations.append(try await store.observe(.key(key)) { _ in calls.add() })
                }
                for (scope, calls) in [
                    (ChangeScope.collection("users"), ofAll), (.ids(.prefix("99"), collection: "users"), ofPrefix),
                    (.collection("others"), ofOthers), (.key(try Key(collection: "others", id: "7")), ofElse),
                ] {
                    observations.append(try await store.observe(scope) { _ in calls.add() })
                }
                let before = ofKeys.map(\.count)
                let (prefix, others) = (ofPrefix.count, (ofOthers.count, ofElse.count))
                let saved = [7, 991, 7]
                for number in saved {
                    let (own, all) = (ofKeys[number].count, ofAll.count)
                    try await store.put(["n": .integer(Int64(own))], keys[number])
                    try await ofKeys[number].wait(toBeMoreThan: own)
                    try await ofAll.wait(toBeMoreThan: all)
                }
                try await ofPrefix.wait(toBeMoreThan: prefix)
                // A write that changes nothing wakes no observer.
                try await store.write { _ = try $0.remove(Key(collection: "users", id: "unknown")) }
                let woken = Set(keys.indices.filter { ofKeys[$0].count > before[$0] })
                #expect(woken == Set(saved))
                #expect((ofOthers.count, ofElse.count) == others)
                withExtendedLifetime(observations) {}
            }
        },
        .init("a save of very many records notifies all observers of them") { store in
            let (one, all, removed) = (Calls(), Calls(), Calls())
            let key = try Key(collection: "users", id: "1999")
            try await guarding(store) {
                let observations = [
                    try await store.observe(.key(key)) { _ in one.add() },
                    try await store.observe(.ids(.from("5"), collection: "users")) { _ in all.add() },
                ]
                try await store.write { transaction in
                    for number in 0..<2000 {
                        try transaction.put([:], for: Key(collection: "users", id: "\(number)"))
                    }
                }
                try await one.wait(toBeMoreThan: 0)
                try await all.wait(toBeMoreThan: 0)
                let other = try await store.observe(.key(key)) { _ in removed.add() }
                try await store.write { _ = try $0.removeAll(in: Scan("users")) }
                try await removed.wait(toBeMoreThan: 0)
                withExtendedLifetime((observations, other)) {}
            }
        },
        .init("index entries do not count as changed records") { store in
            let (all, other) = (Calls(), Calls())
            try await guarding(store) {
                let observations = [
                    try await store.observe(.collection("users")) { _ in all.add() },
                    try await store.observe(.key(Key(collection: "users", id: "other"))) { _ in other.add() },
                ]
                // The first save creates the store, which may wake all observers.
                try await store.put([:], Key(collection: "users", id: "first"))
                try await all.wait(toBeMoreThan: 0)
                let (before, count) = (other.count, all.count)
                let indexes = ["a", "b", "c"].map { IndexDefinition.on($0, isCovering: true) }
                let schema = try Schema([Schema.Collection("users", indexes: indexes)])
                try await SchemaStore(store, schema: schema).write { transaction in
                    for number in 0..<150 {
                        try transaction.put(["a": .integer(1)], for: Key(collection: "users", id: "\(number)"))
                    }
                }
                try await all.wait(toBeMoreThan: count)
                #expect(other.count == before)
                withExtendedLifetime(observations) {}
            }
        },
        .init("an observer is not notified after its observation is released") { store in
            let key = try key("a")
            let (one, other) = (Calls(), Calls())
            try await guarding(store) {
                let observation = try await store.observe(.key(key)) { _ in one.add() }
                do {
                    let ended = try await store.observe(.key(key)) { _ in other.add() }
                    try await store.put(["n": .integer(1)], key)
                    try await other.wait(toBeMoreThan: 0)
                    withExtendedLifetime(ended) {}
                }
                let (before, count) = (other.count, one.count)
                try await store.put(["n": .integer(2)], key)
                try await one.wait(toBeMoreThan: count)
                #expect(other.count == before)
                withExtendedLifetime(observation) {}
            }
        },
        .init("closing notifies all observers") { store in
            let calls = Calls()
            try await guarding(store) {
                let observation = try await store.observe(.collection("c")) { _ in calls.add() }
                await store.close()
                try await calls.wait(toBeMoreThan: 0)
                withExtendedLifetime(observation) {}
            }
        },
    ]
}

/// A counter of the calls that an observer receives.
private final class Calls: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .sequentiallyConsistent) }

    func add() { number.add(1, ordering: .sequentiallyConsistent) }

    /// Waits until the observer has received more than `count` calls. If ``DataStoreConformance/timeout`` is exceeded,
    /// records a failure and returns.
    func wait(toBeMoreThan count: Int) async throws {
        let deadline = ContinuousClock.now + DataStoreConformance.timeout
        while self.count <= count {
            guard .now < deadline else {
                Issue.record("no observer was notified")
                return
            }
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}
