import Foundation

/// The result of a benchmark: in each round, a number for this package and a number for the peer.
struct Comparison {
    let workload: String
    let unit: Unit
    let peer: String
    let goal: Goal?
    let ours: [Double]
    let theirs: [Double]

    init(_ workload: String, _ unit: Unit, peer: String, goal: Goal? = nil, ours: [Double], theirs: [Double]) {
        self.workload = workload
        self.unit = unit
        self.peer = peer
        self.goal = goal
        self.ours = ours
        self.theirs = theirs
    }

    /// Creates a comparison from the times of rounds. Each round has the same number of operations.
    init(_ workload: String, _ unit: Unit, peer: String, goal: Goal? = nil, operations: Int, _ rounds: Rounds) {
        self.init(
            workload, unit, peer: peer, goal: goal, ours: rounds.ours.map { unit.number(operations, in: $0) },
            theirs: rounds.theirs.map { unit.number(operations, in: $0) })
    }

    /// The median of the ratios of all rounds. A disturbance affects both halves of a round, so the ratio is robust.
    var ratio: Double { Self.median(zip(ours, theirs).map { $0 / $1 }) }

    /// The line for the comparison in the output of `--tsv`.
    var tabSeparated: String {
        [
            workload, unit.name, Self.text(Self.median(ours), grouped: false), peer,
            Self.text(Self.median(theirs), grouped: false), Self.exactText(ratio),
        ].joined(separator: "\t")
    }

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard let upper = sorted.dropFirst(sorted.count / 2).first else { return .nan }
        return sorted.count.isMultiple(of: 2) ? (sorted[sorted.count / 2 - 1] + upper) / 2 : upper
    }

    /// Returns a ratio as text with three significant digits.
    static func exactText(_ ratio: Double) -> String {
        ratio.formatted(
            FloatingPointFormatStyle<Double>.number.locale(Locale(identifier: "en_US")).grouping(.never)
                .precision(.significantDigits(3)))
    }

    /// Returns a number as text with about three significant digits, or with all digits before the decimal point.
    static func text(_ number: Double, grouped: Bool = true) -> String {
        let style = FloatingPointFormatStyle<Double>.number.locale(Locale(identifier: "en_US"))
            .grouping(grouped ? .automatic : .never)
        return number.formatted(style.precision(.fractionLength(abs(number) < 10 ? 2 : abs(number) < 100 ? 1 : 0)))
    }
}
