import DataStoreCore

/// The result of comparing two values: the left one comes before the right one, is equal to it, or comes after it.
package enum Ordering: Sendable {
    case before, same, after

    /// Compares two values of a `Comparable` type.
    package init<Content: Comparable>(_ left: Content, _ right: Content) {
        self = left < right ? .before : right < left ? .after : .same
    }

    /// Compares the UTF-8 bytes of two strings. This is also the order of their Unicode scalar values.
    init(bytesOf left: String, _ right: String) { self.init(left.byteOrder(to: right), 0) }

    /// The result of comparing the same values with left and right exchanged.
    package var reversed: Ordering {
        switch self {
        case .before: .after
        case .same: .same
        case .after: .before
        }
    }
}
