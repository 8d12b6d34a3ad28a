import Hummingbird
import ProfileRoutes
import UserProfileKit

/// Serves profiles of an LMDB store over HTTP: `ProfileService [STORE [PORT]]`.
@main
struct ProfileService {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let location = try StorageLocation(arguments.first ?? "lmdb:profiles")
        let storage = try await UserProfileStorage.open(location)
        let port = arguments.dropFirst().first.flatMap { Int($0) } ?? 8080
        let application = Application(
            router: ProfileRoutes(storage).router(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)))
        // Returns after SIGTERM or SIGINT, when pending responses have been sent.
        try await application.runService()
        await storage.close()
    }
}
