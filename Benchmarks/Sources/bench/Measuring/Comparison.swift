import Foundation

/// What a benchmark found: numbers of ours and of a peer, a pair for each round.
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

    /// Takes the times of rounds that had so many operations each.
    init(_ workload: String, _ unit: Unit, peer: String, goal: Goal? = nil, operations: Int, _ rounds: Rounds) {
        self.init(
            workload, unit, peer: peer, goal: goal, ours: rounds.ours.map { unit.number(operations, in: $0) },
            theirs: rounds.theirs.map { unit.number(operations, in: $0) })
    }

    /// The median of the rounds' ratios: what disturbs a round disturbs both of its halves.
    var ratio: Double { Self.median(zip(ours, theirs).map { $0 / $1 }) }

    /// The line of `--tsv`.
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

    /// A ratio with three digits that count, however small it is.
    private static func exactText(_ ratio: Double) -> String {
        ratio.formatted(
            FloatingPointFormatStyle<Double>.number.locale(Locale(identifier: "en_US")).grouping(.never)
                .precision(.significantDigits(3)))
    }

    /// A number with about three digits that count, or all before the point.
    static func text(_ number: Double, grouped: Bool = true) -> String {
        let style = FloatingPointFormatStyle<Double>.number.locale(Locale(identifier: "en_US"))
            .grouping(grouped ? .automatic : .never)
        return number.formatted(style.precision(.fractionLength(abs(number) < 10 ? 2 : abs(number) < 100 ? 1 : 0)))
    }
}
