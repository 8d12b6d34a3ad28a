/// The times of this package and a peer for the same work. Both are measured alternately, so that both run under the
/// same conditions.
struct Rounds {
    /// The times of this package in seconds, one for each round.
    private(set) var ours: [Double] = []
    private(set) var theirs: [Double] = []

    /// Measures this package and a peer in alternating rounds. The order changes from round to round, because the first
    /// one may leave the disk or the caches in another state.
    ///
    /// - Parameters:
    ///   - count: The number of rounds that are counted. One round before them warms up.
    ///   - ours: A closure that runs a round of this package and returns its seconds.
    ///   - theirs: A closure that runs a round of the peer and returns its seconds.
    /// - Throws: Any error of the closures.
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

    /// Runs a synchronous closure. Within it, overloads that block the thread are called instead of asynchronous ones.
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
