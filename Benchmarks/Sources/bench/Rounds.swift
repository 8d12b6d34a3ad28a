/// The times of two ways to do the same work, measured in turn so that both see the same machine.
struct Rounds {
    private var ours: [Double] = []
    private var theirs: [Double] = []

    /// Measures both, a round each, and again.
    ///
    /// - Parameters:
    ///   - count: how many rounds are counted; one more comes first to warm up.
    ///   - operations: how many operations a round has.
    ///   - ours: a round of our way.
    ///   - theirs: a round of the other.
    /// - Throws: what a round threw.
    mutating func run(
        _ count: Int, operations: Int, ours: () async throws -> Void, theirs: () async throws -> Void
    ) async throws {
        for round in 0...count {
            let (mine, other) = (try await Self.nanoseconds(ours), try await Self.nanoseconds(theirs))
            if round > 0 {
                self.ours.append(mine / Double(operations))
                self.theirs.append(other / Double(operations))
            }
        }
    }

    /// A line for the table: medians in nanoseconds with the spread, and the median of the rounds' ratios.
    func line(_ work: String) -> String {
        let ratio = Self.median(zip(ours, theirs).map { $0 / $1 })
        return "\(work)  ours \(Self.shown(ours))  bare liblmdb \(Self.shown(theirs))  ratio \(Self.rounded(ratio))"
    }

    private static func nanoseconds(_ body: () async throws -> Void) async rethrows -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        try await body()
        let (seconds, attoseconds) = (clock.now - start).components
        return Double(seconds) * 1e9 + Double(attoseconds) / 1e9
    }

    private static func shown(_ times: [Double]) -> String {
        "\(Int(median(times))) ns (\(Int(times.min() ?? 0))–\(Int(times.max() ?? 0)))"
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
    }

    private static func rounded(_ number: Double) -> String { "\((number * 100).rounded() / 100)" }
}
