/// The times of two ways to do the same work, measured in turn so that both see the same machine.
struct Rounds {
    /// Seconds of each round.
    private(set) var ours: [Double] = []
    private(set) var theirs: [Double] = []

    /// Measures both, a round each, and again. Who comes first changes from round to round: the first one may leave
    /// the disk or the caches in another state.
    ///
    /// - Parameters:
    ///   - count: how many rounds are counted; one more comes first to warm up.
    ///   - ours: does a round of our way and answers with its seconds.
    ///   - theirs: the other.
    /// - Throws: what a round threw.
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

    /// The seconds that a closure takes.
    static func seconds(_ body: () async throws -> Void) async rethrows -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        try await body()
        return seconds(clock.now - start)
    }

    /// Runs a closure that is not asynchronous, so that it is given what waits on its thread.
    static func onThread(_ body: () throws -> Void) rethrows { try body() }

    /// The seconds that a closure takes which must stay on its thread.
    static func secondsOnThread(_ body: () throws -> Void) rethrows -> Double {
        seconds(try ContinuousClock().measure(body))
    }

    private static func seconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
