import UserProfileDomain

/// Keeps a least time between the starts of calls.
actor CallSpacing {
    private let spacing: Duration
    private let timing: HTTPForecastSource.Timing
    private var next: Instant?
    private var latest: Instant?

    init(_ spacing: Duration, _ timing: HTTPForecastSource.Timing) {
        self.spacing = spacing
        self.timing = timing
    }

    /// Waits for its turn. Those that wait at once go one after the other.
    func wait() async throws {
        guard spacing > .zero else { return }
        let now = timing.now()
        // Where the clock was set back, the turns that were given by it mean nothing any more.
        if let latest, now < latest { next = nil }
        latest = now
        let turn = max(now, next ?? now)
        next = turn.advanced(by: spacing)
        let pause = turn.duration(since: now)
        if pause > .zero { try await timing.sleep(pause) }
    }
}
