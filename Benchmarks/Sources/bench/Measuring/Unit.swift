/// The unit of the numbers in a comparison.
enum Unit {
    case nanoseconds(per: String)
    case microseconds(per: String)
    case perSecond(String)
    case kibibytes
    case amount(String)

    var name: String {
        switch self {
        case .nanoseconds(let operation): "ns/\(operation)"
        case .microseconds(let operation): "µs/\(operation)"
        case .perSecond(let operations): "\(operations)/s"
        case .kibibytes: "KiB"
        case .amount(let name): name
        }
    }

    /// Returns the number in this unit, given a number of operations and their duration in seconds.
    func number(_ operations: Int, in seconds: Double) -> Double {
        switch self {
        case .nanoseconds: seconds * 1e9 / Double(operations)
        case .microseconds: seconds * 1e6 / Double(operations)
        case .perSecond: Double(operations) / seconds
        case .kibibytes, .amount: .nan
        }
    }
}
