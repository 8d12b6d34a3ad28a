import UserProfileDomain

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
