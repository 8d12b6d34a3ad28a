/// How one value stands to another in an order.
package enum Ordering: Sendable {
    case before, same, after

    /// Compares what has an order of its own.
    package init<Content: Comparable>(_ left: Content, _ right: Content) {
        self = left < right ? .before : right < left ? .after : .same
    }

    /// The same pair the other way round.
    package var reversed: Ordering {
        switch self {
        case .before: .after
        case .same: .same
        case .after: .before
        }
    }
}
