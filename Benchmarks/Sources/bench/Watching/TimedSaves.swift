import ArgumentParser
import DataStoreCore
import Foundation

/// The command of the process that ``WatchBenchmark`` starts. It saves an increasing number with pauses, and prints the
/// time at which each save returned.
struct TimedSaves: AsyncParsableCommand {
    static let name = "timed-saves"

    static let configuration = CommandConfiguration(
        commandName: name, abstract: "Save a number repeatedly and print the time at which each save returned.")

    /// Returns the key of the record that contains the number.
    static func key() throws -> Key { try Key(collection: "watched", id: "n") }

    @Argument(help: "The location of the store, lmdb:PATH or plist:PATH.")
    var store: String

    @Option(help: "The number of saves.")
    var saves: Int

    func run() async throws {
        let store = try WatchBenchmark.open(store)
        let key = try Self.key()
        var times: [UInt64] = []
        for number in 1...saves {
            // The pause is long enough for the observer to see the previous save.
            try await Task.sleep(for: .milliseconds(Int.random(in: 60..<110)))
            try await store.write { try $0.put(["n": .integer(Int64(number))], for: key) }
            times.append(SharedClock.now)
        }
        for time in times { print(time) }
        await store.close()
    }
}

/// A clock that all processes of the machine share.
enum SharedClock {
    /// The current time in nanoseconds.
    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
