import Foundation
import UserProfileDomain
import UserProfileKit

/// Measures the library against bare calls of liblmdb, in the same run and on the same data.
///
/// Usage: `bench [PROFILES]`, 100,000 unless said otherwise.
@main
enum Bench {
    static func main() async throws {
        let count = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 100_000
        let directory = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }

        let (store, copy) = (directory.appending(path: "store").path, directory.appending(path: "copy").path)
        try await Profiles.fill(store, count: count)
        // The peer works on a copy: a process opens an environment once.
        try FileManager.default.copyItem(atPath: store, toPath: copy)

        let storage = try await UserProfileStorage.open(.lmdb(store))
        let bare = try BareLMDB(path: copy)
        try await ReadBenchmark(storage: storage, bare: bare, count: count).run()
        await storage.close()
    }
}
