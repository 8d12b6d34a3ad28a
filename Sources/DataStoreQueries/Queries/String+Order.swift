import DataStoreCore

extension String {
    /// The place of the string in the order of UTF-8 bytes, which is that of scalar values.
    package func ordering(byBytes other: String) -> Ordering {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            if hasSameBytes(as: other) { return .same }
            return utf8.lexicographicallyPrecedes(other.utf8) ? .before : .after
        }
        let left = utf8.span
        let right = other.utf8.span
        for index in 0..<min(left.count, right.count) where left[index] != right[index] {
            return left[index] < right[index] ? .before : .after
        }
        return Ordering(left.count, right.count)
    }
}
