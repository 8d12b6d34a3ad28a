extension String {
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
