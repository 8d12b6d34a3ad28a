/// The formatter for results as a table that a person reads.
enum Table {
    static let head = line(
        ["workload", "unit", "UserProfile (min–max)", "peer (min–max)", "ratio", "goal"], "name of the peer")

    static func row(of comparison: Comparison) -> String {
        let goal = comparison.goal.map { "\($0) \($0.isMet(by: comparison.ratio) ? "met" : "missed")" } ?? ""
        return line(
            [
                comparison.workload, comparison.unit.name, cell(comparison.ours), cell(comparison.theirs),
                Comparison.exactText(comparison.ratio), goal,
            ], comparison.peer)
    }

    private static let widths = [58, 12, 34, 34, 7, 14]

    private static func line(_ cells: [String], _ last: String) -> String {
        zip(cells, widths).map { $0 + String(repeating: " ", count: max($1 - $0.count, 0)) }.joined(separator: " ")
            + " " + last
    }

    private static func cell(_ numbers: [Double]) -> String {
        let median = Comparison.text(Comparison.median(numbers))
        guard numbers.count > 1, let least = numbers.min(), let greatest = numbers.max() else { return median }
        return "\(median) (\(Comparison.text(least))–\(Comparison.text(greatest)))"
    }
}
