import Synchronization
import Testing

extension DataStoreConformance {
    /// The additional requirements for a store that notifies only the observers whose records a commit changed, as
    /// `ChangeObservers` does.
    ///
    /// A store whose `observe` calls `observeByPolling` wakes all observers and does not meet these requirements.
    public static let scopedNotification: [DataStoreConformance] = [
        .init("a save notifies exactly the observers of its records") { store in
            let keys = try (0..<1000).map { try Key(collection: "users", id: "\($0)") }
            let scopes: [ChangeScope] = [
                .collection("users"), .ids(.prefix("99"), collection: "users"), .collection("others"),
                .key(try Key(collection: "others", id: "7")),
            ]
            // The save that creates the store may wake all observers.
            try await store.put([:], Key(collection: "first", id: "a"))
            try await observing(scopes + keys.map(ChangeScope.key), in: store) { calls in
                let (all, prefix, others, ofKeys) = (calls[0], calls[1], calls[2...3], calls[4...].map { $0 })
                let (before, otherCounts) = (ofKeys.map(\.count), others.map(\.count))
                let saved = [7, 991, 7]
                try await prefix.expectCall {
                    for number in saved {
                        try await all.expectCall {
                            try await ofKeys[number].expectCall {
                                try await store.put(["n": .integer(Int64(ofKeys[number].count))], keys[number])
                            }
                        }
                    }
                }
                // A write that changes nothing wakes no observer.
                try await store.remove(Key(collection: "users", id: "unknown"))
                #expect(Set(keys.indices.filter { ofKeys[$0].count > before[$0] }) == Set(saved))
                #expect(others.map(\.count) == otherCounts)
                // A write of very many records may wake all observers.
                try await prefix.expectCall {
                    try await ofKeys[999].expectCall { try await store.put((0..<2000).map(String.init), in: "users") }
                }
                try await ofKeys[0].expectCall { try await store.write { _ = try $0.removeAll(in: Scan("users")) } }
            }
        },
        .init("index entries do not count as changed records") { store in
            let scopes = [ChangeScope.collection("c"), .key(try key("other"))]
            try await observing(scopes, in: store) { calls in
                // The first save creates the store, which may wake all observers.
                try await calls[0].expectCall { try await store.put([:], key("first")) }
                let before = calls[1].count
                let writer = try store.declaring(["a", "b", "c"].map { .on($0, isCovering: true) })
                try await calls[0].expectCall {
                    try await writer.put((0..<150).map { ("\($0)", ["a": .integer(1)]) })
                }
                #expect(calls[1].count == before)
            }
        },
        .init("a released observation receives no calls, and closing notifies the others") { store in
            let key = try key("a")
            try await observing([.key(key)], in: store) { calls in
                let other = Calls()
                do {
                    let ended = try await store.observe(.key(key)) { _ in other.add() }
                    try await other.expectCall { try await store.put(["n": .integer(1)], key) }
                    withExtendedLifetime(ended) {}
                }
                let before = other.count
                try await calls[0].expectCall { try await store.put(["n": .integer(2)], key) }
                try await calls[0].expectCall { await store.close() }
                #expect(other.count == before)
            }
        },
    ]

    /// Runs a closure while each scope has an observer, and passes the counters of the observers to it.
    private static func observing(
        _ scopes: [ChangeScope], in store: any DataStore, _ body: ([Calls]) async throws -> Void
    ) async throws {
        let calls = scopes.map { _ in Calls() }
        var observations: [ChangeObservation] = []
        for (scope, calls) in zip(scopes, calls) {
            observations.append(try await store.observe(scope) { _ in calls.add() })
        }
        try await body(calls)
        withExtendedLifetime(observations) {}
    }
}

/// A counter of the calls that an observer receives.
private final class Calls: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .sequentiallyConsistent) }

    func add() { number.add(1, ordering: .sequentiallyConsistent) }

    /// Runs a closure, and waits until the observer has received a call, at most ``DataStoreConformance/timeout``.
    func expectCall(
        sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
    ) async throws {
        let count = count
        try await body()
        try await until(within: DataStoreConformance.timeout, sourceLocation: sourceLocation) { self.count > count }
    }
}
