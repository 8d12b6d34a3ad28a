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

    /// Whether the string begins with the bytes of another one.
    package func beginsWithBytes(of text: String) -> Bool {
        utf8.count >= text.utf8.count && utf8.starts(with: text.utf8)
    }

    /// Whether the bytes of another string are somewhere in this one.
    package func containsBytes(of text: String) -> Bool {
        guard let first = text.utf8.first else { return true }
        let count = text.utf8.count
        var rest = utf8[...]
        // UTF-8 synchronizes itself: what matches begins where a scalar does.
        while rest.count >= count, let place = rest.firstIndex(of: first) {
            rest = rest[place...]
            if rest.starts(with: text.utf8) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
