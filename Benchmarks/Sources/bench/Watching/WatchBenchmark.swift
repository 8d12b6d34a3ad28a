import DataStoreCore
import DataStoreLMDB
import DataStorePlist
import Foundation

/// The benchmark of the delay until an observer receives a change of another process. The delay starts when the save
/// returns. The peer is an observer of the same store that polls the generation twenty times a second.
struct WatchBenchmark {
    let stage: Stage
    let count: Int

    /// The maximum delay on an idle machine, in milliseconds.
    private static let bound = 100.0

    func run() async throws -> [Comparison] {
        let lmdb = "lmdb:\(try await stage.store(count: count))"
        let plist = try await PlistProfiles.store(count: count, on: stage)
        await plist.close()
        return try await compare("lmdb", lmdb) + compare("plist", "plist:\(plist.path)")
    }

    static func open(_ location: String) throws -> any DataStore {
        let path = String(location.drop { $0 != ":" }.dropFirst())
        return location.hasPrefix("lmdb:") ? try LMDBDataStore(path: path) : try PlistDataStore(path: path)
    }

    private func compare(_ name: String, _ location: String) async throws -> [Comparison] {
        let (store, other) = (try Self.open(location), try Self.open(location))
        var (ours, theirs): ([[Double]], [[Double]]) = ([], [])
        for _ in 0..<stage.rounds(5) {
            let delays = try await round(store, UnobservedStore(store: other), location)
            ours.append(delays.ours.sorted())
            theirs.append(delays.theirs.sorted())
        }
        await store.close()
        await other.close()
        let work = "a save of another process is seen, \(name)"
        return [
            Comparison(
                "\(work), median", .amount("ms"), peer: "polling every 50 ms", ours: ours.map(Comparison.median),
                theirs: theirs.map(Comparison.median)),
            Comparison(
                "\(work), p99", .amount("ms"), peer: "maximum", goal: .atMost(1),
                ours: ours.map { $0[($0.count - 1) * 99 / 100] }, theirs: ours.map { _ in Self.bound }),
        ]
    }

    /// Returns the delays of a round in milliseconds.
    private func round(
        _ store: any DataStore, _ polled: UnobservedStore, _ location: String
    ) async throws -> (ours: [Double], theirs: [Double]) {
        let saveCount = stage.operations(100)
        // Resets the number to 0.
        try await store.write { try $0.put(["n": .integer(0)], for: TimedSaves.key()) }
        async let seen = Self.times(store, saveCount)
        async let polledTimes = Self.times(polled, saveCount)
        let saved = try await save(saveCount, location)
        func delays(_ times: [UInt64]) -> [Double] {
            zip(saved, times).map { saved, seen in seen > saved ? Double(seen - saved) / 1e6 : 0 }
        }
        return (delays(try await seen), delays(try await polledTimes))
    }

    /// Returns the time at which the observer received each number or a later one.
    private static func times(_ store: some DataStore, _ count: Int) async throws -> [UInt64] {
        var times: [UInt64] = []
        for try await record in store.updates(of: try TimedSaves.key()) {
            guard case .integer(let number) = record?["n"] else { continue }
            while times.count < number { times.append(SharedClock.now) }
            if times.count == count { break }
        }
        return times
    }

    private func save(_ count: Int, _ location: String) async throws -> [UInt64] {
        let (text, status) = try await Process.output(
            of: Bundle.main.executableURL, [TimedSaves.name, location, "--saves", "\(count)"])
        let times = text.split(separator: "\n").compactMap { UInt64($0) }
        guard status == 0, times.count == count else {
            throw Failure("the saving process exited with \(status)")
        }
        return times
    }
}

/// A store without change notifications, which is therefore polled.
private struct UnobservedStore: DataStore {
    let store: any DataStore

    func read<Result: Sendable>(_ body: @Sendable (borrowing ReadTransaction) throws -> Result) async throws -> Result {
        try await store.read(body)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        try await store.write(body)
    }

    func generation() async throws -> UInt64 { try await store.generation() }

    func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable (ChangedKeys) -> Void
    ) async throws(DataStoreError) -> ChangeObservation {
        await observeByPolling(wake)
    }

    func close() async { await store.close() }
}
