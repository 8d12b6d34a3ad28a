package import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
public import UserProfileKit

/// A web server on 127.0.0.1 that shows the contents of a store in the browser of the user who started it.
public struct Studio: Sendable {
    let storage: UserProfileStorage
    private let location: StorageLocation
    let frame: Frame
    let templates: Templates
    let clock: Clock
    let counts: RecordCounts
    private let monitors: WeatherMonitors
    private let access = Access()
    private let connections = Connections()

    /// Creates a studio.
    ///
    /// - Parameters:
    ///   - storage: The open storage.
    ///   - location: Its location.
    ///   - isWritable: Whether pages can change the store. Otherwise fetched forecasts are kept in memory.
    ///   - source: The source of forecasts, with which the storage was opened, too.
    ///   - now: Returns the current time.
    /// - Throws: An error if a template is invalid.
    public init(
        _ storage: UserProfileStorage, at location: StorageLocation, isWritable: Bool,
        source: (any ForecastSource)? = nil, now: @escaping @Sendable () -> Instant = { .now }
    ) async throws {
        self.storage = storage
        self.location = location
        frame = Frame(store: location.description, isWritable: isWritable)
        templates = try Templates()
        clock = Clock(now: now)
        counts = RecordCounts(storage)
        let cache = isWritable ? nil : try await UserProfileStorage.open(.memory, source: source)
        monitors = WeatherMonitors(storage, cache: cache)
    }

    /// Runs the server until the process receives a signal or the task is cancelled.
    ///
    /// - Parameters:
    ///   - port: The port; 0 for a free one.
    ///   - opened: Called with the address to open in a browser, when the server accepts connections.
    /// - Throws: ``ListenError`` if the port cannot be opened.
    public func run(port: Int, opened: @escaping @Sendable (_ address: String) -> Void) async throws {
        do {
            try await server(port: port, opened: opened).runService()
        } catch let error as IOError {
            throw ListenError(port, error)
        }
    }

    /// Returns the server, which runs until the task is cancelled.
    package func server(
        port: Int = 0, opened: @escaping @Sendable (_ address: String) -> Void
    ) -> some ApplicationProtocol {
        var logger = Logger(label: "profile-studio") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        let http = HTTP1Channel.Configuration(
            idleTimeout: .seconds(30),
            httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
                maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100))
        return Application(
            router: router(),
            server: HTTPServerBuilder { [access, connections] responder in
                StudioChannel(
                    http: HTTP1Channel(responder: responder, configuration: http), access: access,
                    connections: connections)
            },
            configuration: ApplicationConfiguration(
                address: .hostname("127.0.0.1", port: port),
                availableConnectionsDelegate: ConnectionLimit(connections)),
            onServerRunning: { [access] channel in
                guard let port = channel.localAddress?.port, let token = access.unusedToken else { return }
                opened("http://127.0.0.1:\(port)/?token=\(token)")
            },
            logger: logger)
    }

    private func router() -> Router<StudioContext> {
        let router = Router(context: StudioContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: SecurityHeaders())
        router.add(middleware: RequestGuard(access: access, connections: connections))
        router.add(middleware: FailureMiddleware(templates: templates, frame: frame))
        router.get("/") { _, _ in Response.seeOther(ProfilesAddress.path) }
        Assets.add(to: router)
        ProfilesRoutes(storage: storage, templates: templates, frame: frame, clock: clock, counts: counts)
            .add(to: router)
        BirthdaysRoutes(storage: storage, templates: templates, frame: frame, clock: clock).add(to: router)
        WeatherRoutes(monitors: monitors, templates: templates, frame: frame, clock: clock).add(to: router)
        StoreRoutes(
            storage: storage, location: location, templates: templates, frame: frame, check: StoreCheck(location),
            counts: counts
        ).add(to: router)
        RecordsRoutes(storage: storage, templates: templates, frame: frame, clock: clock).add(to: router)
        return router
    }
}
