/// The times of two ways to do the same work, measured alternately so that both run under the same conditions.
struct Rounds {
    /// The seconds of each round.
    private(set) var ours: [Double] = []
    private(set) var theirs: [Double] = []

    /// Measures both ways in alternating rounds. The order changes from round to round, because the first one may leave
    /// the disk or the caches in another state.
    ///
    /// - Parameters:
    ///   - count: The number of rounds that are counted, after one round to warm up.
    ///   - ours: Runs a round of this package and returns its seconds.
    ///   - theirs: Runs a round of the peer and returns its seconds.
    /// - Throws: The errors of the rounds.
    init(_ count: Int, ours: () async throws -> Double, theirs: () async throws -> Double) async throws {
        for round in 0...count {
            let mine: Double
            let other: Double
            if round.isMultiple(of: 2) {
                mine = try await ours()
                other = try await theirs()
            } else {
                other = try await theirs()
                mine = try await ours()
            }
            if round > 0 {
                self.ours.append(mine)
                self.theirs.append(other)
            }
        }
    }

    /// Returns the duration of a closure in seconds.
    static func seconds(_ body: () async throws -> Void) async rethrows -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        try await body()
        return seconds(clock.now - start)
    }

    /// Runs a synchronous closure, in which overloads that block the thread are called instead of asynchronous ones.
    static func onThread(_ body: () throws -> Void) rethrows { try body() }

    /// Returns the duration in seconds of a closure that must stay on its thread.
    static func secondsOnThread(_ body: () throws -> Void) rethrows -> Double {
        seconds(try ContinuousClock().measure(body))
    }

    private static func seconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
