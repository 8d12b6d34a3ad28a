import Synchronization
import UserProfileDomain

/// A source with scripted responses that counts its requests.
final class ScriptedSource: ForecastSource {
    typealias Response =
        @Sendable (
            _ city: CityCode, _ version: FetchedVersion?, _ progress: @Sendable (FetchProgress) -> Void
        ) async throws -> FetchedWeather

    private let state: Mutex<(response: Response, cities: [CityCode])>

    init(_ response: @escaping Response) { state = Mutex((response, [])) }

    /// The cities that were requested.
    var cities: [CityCode] { state.withLock { $0.cities } }

    /// Replaces the response.
    func respond(_ response: @escaping Response) { state.withLock { $0.response = response } }

    func fetch(
        _ city: CityCode, unlessStill version: FetchedVersion?, progress: @escaping @Sendable (FetchProgress) -> Void
    ) async throws -> FetchedWeather {
        let response = state.withLock { state in
            state.cities.append(city)
            return state.response
        }
        return try await response(city, version, progress)
    }
}

/// Blocks tasks until it is opened. A cancelled task stops waiting.
final class Gate: Sendable {
    private let (passed, opener) = AsyncStream.makeStream(of: Void.self)
    private let (arrived, bell) = AsyncStream.makeStream(of: Void.self)

    /// Waits until the gate is open.
    func pass() async throws {
        bell.yield()
        for await _ in passed {}
        try Task.checkCancellation()
    }

    /// Waits until a task waits at the gate.
    func waitForArrival() async { for await _ in arrived { break } }

    func open() { opener.finish() }
}

/// A clock that is advanced manually.
final class ManualClock: Sendable {
    private let state: Mutex<Instant>

    init(_ now: Instant = Instant(seconds: 1_700_000_000)) { state = Mutex(now) }

    var now: Instant { state.withLock { $0 } }

    func move(by duration: Duration) { state.withLock { $0 = $0.advanced(by: duration) } }
}
