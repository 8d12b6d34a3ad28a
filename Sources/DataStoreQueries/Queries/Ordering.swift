/// The relation of one value to another in an order.
package enum Ordering: Sendable {
    case before, same, after

    /// Compares two values of a comparable type.
    package init<Content: Comparable>(_ left: Content, _ right: Content) {
        self = left < right ? .before : right < left ? .after : .same
    }

    /// The relation with the two values exchanged.
    package var reversed: Ordering {
        switch self {
        case .before: .after
        case .same: .same
        case .after: .before
        }
    }
}
