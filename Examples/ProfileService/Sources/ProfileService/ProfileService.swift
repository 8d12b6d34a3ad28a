import Hummingbird
import Logging
import ProfileRoutes
import ServiceLifecycle
import UserProfileKit

/// Serves profiles of an LMDB store over HTTP: `ProfileService [STORE [PORT]]`.
@main
struct ProfileService {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let logger = Logger(label: "profile-service")
        let storage = try await UserProfileStorage.open(
            StorageLocation(arguments.first ?? "lmdb:profiles"), logger: logger)
        let port = arguments.dropFirst().first.flatMap { Int($0) } ?? 8080
        let application = Application(
            router: ProfileRoutes(storage).router(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)), logger: logger)
        // After SIGTERM or SIGINT, the application sends its pending responses. Then the storage closes.
        let group = ServiceGroup(
            services: [storage, application], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        try await group.run()
    }
}
