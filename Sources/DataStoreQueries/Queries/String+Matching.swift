extension String {
    /// Returns whether the string begins with the bytes of another one.
    package func beginsWithBytes(of text: String) -> Bool {
        utf8.count >= text.utf8.count && utf8.starts(with: text.utf8)
    }

    /// Returns whether the string contains the bytes of another one.
    package func containsBytes(of text: String) -> Bool {
        guard let first = text.utf8.first else { return true }
        let count = text.utf8.count
        var remaining = utf8[...]
        // UTF-8 is self-synchronizing: a match begins at a scalar boundary.
        while remaining.count >= count, let position = remaining.firstIndex(of: first) {
            remaining = remaining[position...]
            if remaining.starts(with: text.utf8) { return true }
            remaining = remaining.dropFirst()
        }
        return false
    }
}
