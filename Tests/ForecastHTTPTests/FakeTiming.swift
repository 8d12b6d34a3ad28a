import ForecastAPI
import ForecastHTTP
import Synchronization
import UserProfileDomain

/// A clock that moves only while somebody sleeps, and chance that is told what comes.
final class FakeTiming: Sendable {
    private let state: Mutex<(now: Instant, sleeps: [Duration])>
    private let chance: Double

    init(now: Instant = Instant(seconds: 1_700_000_000), chance: Double = 1) {
        state = Mutex((now, []))
        self.chance = chance
    }

    /// How long was slept, each time.
    var sleeps: [Duration] { state.withLock { $0.sleeps } }

    /// What a source takes.
    var timing: HTTPForecastSource.Timing {
        HTTPForecastSource.Timing(
            now: { self.state.withLock { $0.now } },
            sleep: { duration in
                try Task.checkCancellation()
                self.state.withLock { state in
                    state.now = state.now.advanced(by: duration)
                    state.sleeps.append(duration)
                }
            },
            random: { self.chance })
    }
}
