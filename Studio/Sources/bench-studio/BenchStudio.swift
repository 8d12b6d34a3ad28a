import ArgumentParser
import Hummingbird
import RawHTTP
import Studio
import UserProfileKit

/// `bench-studio`
///
/// Compares a page of profiles from the running studio with the same page without the server: the query of the library,
/// and the rendering. Both are measured alternately in one process.
@main
struct BenchStudio: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench-studio",
        abstract: "Measure a page of profiles of the studio, and fail if the server needs too much time for it.")

    /// The greatest ratio of the server's time to the time of the query and the rendering.
    private static let limit = 2.0

    /// The greatest time in seconds that the store may take to estimate the number of profiles.
    private static let sizeLimit = 0.05

    @Option(help: "The number of profiles in the store.")
    var profiles = 1_000_000

    @Option(help: "The number of measured requests of each page.")
    var rounds = 100

    func run() async throws {
        let store = try BenchStore(profileCount: profiles)
        defer { store.remove() }
        let storage = try await store.open()
        let studio = try await Studio(storage, at: store.location, isWritable: true)
        let (addresses, opened) = AsyncStream.makeStream(of: String.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await studio.server { opened.yield($0) }.run() }
            group.addTask {
                for await address in addresses {
                    let client = try await RawConnection.blocking { try StudioClient(address) }
                    return try await measure(studio, storage, client)
                }
            }
            // The server ends only when it is cancelled.
            try await group.next()
            group.cancelAll()
        }
        await storage.close()
    }

    private func measure(_ studio: Studio, _ storage: UserProfileStorage, _ client: StudioClient) async throws {
        print("\(profiles) profiles, \(rounds) requests of each page, least times in milliseconds")
        print("server    query     rendering ratio     page")
        var isSlow = false
        for query in ["", "sort=birthday+desc", "where=birthday+%3C+1960-01-01+and+mail+exists&sort=birthday"] {
            let page = try await studio.profilesPage(query)
            var (server, read, rendering) = (Samples(), Samples(), Samples())
            // The first round warms up the caches.
            for round in 0...rounds {
                let requested = try await RawConnection.blocking {
                    try Samples.seconds { try client.get("/profiles?\(query)") }
                }
                let found = try await Samples.seconds { _ = try await storage.users.find(page.query) }
                let rendered = Samples.seconds { _ = page.html() }
                guard round > 0 else { continue }
                server.add(requested)
                read.add(found)
                rendering.add(rendered)
            }
            let ratio = server.least / (read.least + rendering.least)
            isSlow = isSlow || ratio > Self.limit
            let columns = [server.least * 1000, read.least * 1000, rendering.least * 1000, ratio]
            print(columns.map { Samples.text($0) }.joined(), "/profiles?\(query)", separator: "")
        }
        var size = Samples()
        for _ in 0..<rounds {
            size.add(
                try await Samples.seconds {
                    _ = try await storage.records.read { try $0.estimatedCount(of: "users") }
                })
        }
        print(Samples.text(size.least * 1000), "for the number of profiles", separator: "")
        guard size.least <= Self.sizeLimit else {
            print("The number of profiles takes more than \(Self.sizeLimit * 1000) milliseconds.")
            throw ExitCode.failure
        }
        guard !isSlow else {
            print("A ratio is greater than \(Self.limit).")
            throw ExitCode.failure
        }
    }
}
