import ForecastAPI
import ForecastHTTP
import Synchronization
import UserProfileDomain

/// A clock that advances only during `sleep`, with a fixed result of the random number generator.
final class FakeTiming: Sendable {
    private let state: Mutex<(now: Instant, sleeps: [Duration])>
    private let chance: Double

    init(now: Instant = Instant(seconds: 1_700_000_000), chance: Double = 1) {
        state = Mutex((now, []))
        self.chance = chance
    }

    /// The duration of each sleep.
    var sleeps: [Duration] { state.withLock { $0.sleeps } }

    /// The timing to pass to a source.
    var timing: HTTPForecastSource.Timing {
        (
            now: { self.state.withLock { $0.now } },
            sleep: { duration in
                try Task.checkCancellation()
                self.state.withLock { state in
                    state.now = state.now.advanced(by: duration)
                    state.sleeps.append(duration)
                }
            },
            random: { self.chance }
        )
    }
}
