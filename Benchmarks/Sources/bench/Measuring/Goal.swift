/// The ratio that a benchmark is required to reach.
enum Goal: CustomStringConvertible {
    case atMost(Double)
    case atLeast(Double)

    func isMet(by ratio: Double) -> Bool {
        switch self {
        case .atMost(let limit): ratio <= limit
        case .atLeast(let limit): ratio >= limit
        }
    }

    var description: String {
        switch self {
        case .atMost(let limit): "≤ \(limit)"
        case .atLeast(let limit): "≥ \(limit)"
        }
    }
}
