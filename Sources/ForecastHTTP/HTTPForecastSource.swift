public import ForecastAPI

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An HTTP GET request: its URL and its header fields.
typealias HTTPRequest = (url: URL, fields: [(name: String, value: String)])

/// A source that fetches forecasts from a weather service over HTTP.
///
/// ```swift
/// let source = HTTPForecastSource(try ForecastService(.tsukumijima))
/// let weather = try await source.fetch(CityCode("130010"), unlessStill: nil) { _ in }
/// ```
///
/// The source follows redirects if the scheme stays the same. It stores no cookies and caches no responses. It retries
/// temporary failures as `FetchOptions` specify.
public struct HTTPForecastSource: ForecastSource {
    /// The service from which forecasts are fetched.
    package let service: ForecastService

    private let options: FetchOptions
    private let timing: Timing
    private let session: HTTPSession
    private let spacing: CallSpacing

    /// Creates a source for a service.
    ///
    /// - Parameters:
    ///   - service: The service from which forecasts are fetched.
    ///   - options: The time limits, the size limit and the retries of requests.
    public init(_ service: ForecastService, options: FetchOptions = FetchOptions()) {
        self.init(service, options: options, timing: Self.systemTiming)
    }

    /// Creates a source with the given clock, delays and random numbers, for tests.
    package init(_ service: ForecastService, options: FetchOptions = FetchOptions(), timing: Timing) {
        self.service = service
        self.options = options
        self.timing = timing
        session = HTTPSession(options)
        spacing = CallSpacing(options.spacing, timing)
    }

    /// Fetches the weather of a city, or returns `unchanged` if the service still has the version that the caller
    /// passes.
    public func fetch(
        _ city: CityCode, unlessStill version: FetchedVersion?,
        progress: @escaping @Sendable (FetchProgress) -> Void
    ) async throws -> FetchedWeather {
        guard options.timeout > .zero else {
            throw RepositoryError(
                .programmingError,
                message: "could not fetch the weather of \(city): FetchOptions.timeout is \(options.timeout); "
                    + "set a positive duration")
        }
        let url = try service.address(of: city)
        let known = version?.address == url.absoluteString ? version : nil
        do {
            let response = try await response(at: url, known, progress)
            switch response.status {
            case 304 where known != nil: return .unchanged
            case 200: break
            default: throw FetchFailure.status(response.status)
            }
            let respondedAt = response.time ?? timing.now()
            let decoded = try service.weather(in: response.bytes, of: city, respondedAt: respondedAt)
            let version = FetchedVersion(
                address: url.absoluteString, entityTag: response.fields["etag"],
                lastModified: response.fields["last-modified"])
            return .new(decoded.weather, version, warnings: decoded.warnings)
        } catch {
            throw mapped(error, city)
        }
    }

    // MARK: Requests

    /// Sends a request and returns the response, which may have an error status. Repeats the request after a temporary
    /// failure.
    ///
    /// - Throws: The last `FetchFailure` if it is permanent, or if the retry and time limits allow no further request.
    ///   `CancellationError` if the task is cancelled.
    private func response(
        at url: URL, _ version: FetchedVersion?, _ progress: @escaping @Sendable (FetchProgress) -> Void
    ) async throws -> HTTPResponse {
        var failureCount = 0
        try await spacing.wait()
        let deadline = ContinuousClock.now.advanced(by: options.timeout)
        while true {
            let failure: FetchFailure
            var requestedDelay: Duration?
            do {
                let response = try await responseAfterRedirects(at: url, version, until: deadline, progress)
                failure = .status(response.status)
                guard failure.isWorthRetrying else { return response }
                requestedDelay = response.requestedDelay(now: response.time ?? timing.now())
            } catch let error as FetchFailure {
                failure = error
            }
            let delay = requestedDelay ?? retryDelay(after: failureCount)
            failureCount += 1
            guard failure.isWorthRetrying, failureCount <= options.retryCount, delay <= options.longestRetryDelay,
                ContinuousClock.now.advanced(by: delay) < deadline
            else { throw failure }
            try await timing.sleep(delay)
            try await spacing.wait()
        }
    }

    private func retryDelay(after failureCount: Int) -> Duration {
        let delay = min(options.retryDelay * (1 << min(failureCount, 16)), options.longestRetryDelay)
        return delay * (0.5 + 0.5 * timing.random())
    }

    private func responseAfterRedirects(
        at url: URL, _ version: FetchedVersion?, until deadline: ContinuousClock.Instant,
        _ progress: @escaping @Sendable (FetchProgress) -> Void
    ) async throws -> HTTPResponse {
        var url = url
        for redirectCount in 0...HTTPForecastSource.maximumRedirectCount {
            let response = try await session.response(to: request(url, version), until: deadline, progress: progress)
            guard [301, 302, 303, 307, 308].contains(response.status) else {
                // A service that has moved may redirect each request to a page that does not exist.
                guard response.status != 404 || redirectCount == 0 else {
                    throw FetchFailure.redirect("the redirect leads to a page that does not exist")
                }
                return response
            }
            guard let target = response.fields["location"].flatMap({ URL(string: $0, relativeTo: url) })?.absoluteURL
            else {
                throw FetchFailure.redirect("the redirect has no target")
            }
            guard target.scheme?.lowercased() == url.scheme?.lowercased() else {
                let (old, new) = (url.scheme ?? "", (target.scheme ?? "").excerpt(20))
                throw FetchFailure.redirect("the redirect from \(old) to \(new) is not followed")
            }
            url = target
        }
        throw FetchFailure.redirect("too many redirects")
    }

    private static let maximumRedirectCount = 5

    private func request(_ url: URL, _ version: FetchedVersion?) -> HTTPRequest {
        let fields = [
            ("User-Agent", options.userAgent), ("Accept", "application/json"), ("If-None-Match", version?.entityTag),
            ("If-Modified-Since", version?.lastModified),
        ]
        let sent = fields.compactMap { name, value -> (name: String, value: String)? in
            // A line break in a value, e.g. from an edited store, could add other header fields.
            guard let value, value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
            return (name, value)
        }
        return (url, sent)
    }

    // MARK: Failures

    private func mapped(_ error: any Error, _ city: CityCode) -> any Error {
        func failure(_ code: RepositoryError.Code, _ reason: String, _ cause: any Error) -> RepositoryError {
            let operation = "could not fetch the weather of \(city) from \(service.baseURL)"
            return RepositoryError(code, message: "\(operation): \(reason)", underlying: cause)
        }
        switch error {
        case FetchFailure.status(404) where service.provider == .livedoor,
            FetchFailure.answer(FetchFailure.unknownCity):
            return failure(.notFound, "the city is unknown (\(error))", error)
        case FetchFailure.status(429):
            return failure(.lackOfResources, "too many requests (\(error)); retry later", error)
        case FetchFailure.status(let status)
        where (400..<500).contains(status) && ![401, 403, 404, 408, 410].contains(status):
            return failure(.unexpected, "the service rejected the request (\(error))", error)
        case FetchFailure.tooLarge:
            let cause = ValidationError(
                .weatherDocument, given: "the response", rule: "it has more than \(options.maximumByteCount) bytes")
            return failure(.unexpected, "\(cause)", cause)
        case let error as FetchFailure: return failure(.unavailable, "\(error); \(error.remedy)", error)
        case is ValidationError: return failure(.unexpected, "\(error)", error)
        default: return error
        }
    }
}

extension HTTPForecastSource {
    /// The clock, the delays and the random numbers from 0 to 1 of a source. Tests replace them.
    package typealias Timing = (
        now: @Sendable () -> Instant, sleep: @Sendable (Duration) async throws -> Void,
        random: @Sendable () -> Double
    )

    private static let systemTiming: Timing = (
        now: { .now }, sleep: { try await Task.sleep(for: $0) }, random: { .random(in: 0...1) }
    )
}

/// A rate limiter that keeps a minimum time between the starts of requests.
actor CallSpacing {
    private let spacing: Duration
    private let timing: HTTPForecastSource.Timing
    private var next: Instant?
    private var latest: Instant?

    init(_ spacing: Duration, _ timing: HTTPForecastSource.Timing) {
        self.spacing = spacing
        self.timing = timing
    }

    /// Waits until the next request may start. Concurrent callers proceed one by one.
    func wait() async throws {
        guard spacing > .zero else { return }
        let now = timing.now()
        // If the clock was set back, the start time of the next request is invalid.
        if let latest, now < latest { next = nil }
        latest = now
        let turn = max(now, next ?? now)
        next = turn.advanced(by: spacing)
        let pause = turn.duration(since: now)
        if pause > .zero { try await timing.sleep(pause) }
    }
}
