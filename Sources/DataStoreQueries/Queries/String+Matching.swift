extension String {
    /// Returns whether the UTF-8 bytes of the string begin with those of another string.
    package func beginsWithBytes(of text: String) -> Bool {
        utf8.count >= text.utf8.count && utf8.starts(with: text.utf8)
    }

    /// Returns whether the UTF-8 bytes of the string contain those of another string.
    package func containsBytes(of text: String) -> Bool {
        guard let first = text.utf8.first else { return true }
        let count = text.utf8.count
        var remaining = utf8[...]
        // UTF-8 is self-synchronizing, so a match begins at the boundary of a Unicode scalar.
        while remaining.count >= count, let position = remaining.firstIndex(of: first) {
            remaining = remaining[position...]
            if remaining.starts(with: text.utf8) { return true }
            remaining = remaining.dropFirst()
        }
        return false
    }
}
