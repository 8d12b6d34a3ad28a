import ArgumentParser
import DataStoreCore
import Foundation

/// The process that ``WatchBenchmark`` starts. It saves an increasing number, with pauses, and prints when each save
/// has returned.
struct TimedSaves: AsyncParsableCommand {
    static let name = "timed-saves"

    static let configuration = CommandConfiguration(
        commandName: name, abstract: "Save a number many times and print when each save returned.")

    /// Returns the key of the record with the number.
    static func key() throws -> Key { try Key(collection: "watched", id: "n") }

    @Argument(help: "The store, lmdb:PATH or plist:PATH.")
    var store: String

    @Option(help: "How many saves.")
    var saves: Int

    func run() async throws {
        let store = try WatchBenchmark.open(store)
        let key = try Self.key()
        var times: [UInt64] = []
        for number in 1...saves {
            // Long enough for the observer to see the previous saves.
            try await Task.sleep(for: .milliseconds(Int.random(in: 60..<110)))
            try await store.write { try $0.put(["n": .integer(Int64(number))], for: key) }
            times.append(SharedClock.now)
        }
        for time in times { print(time) }
        await store.close()
    }
}

/// A clock that all processes share.
enum SharedClock {
    /// The time in nanoseconds.
    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
