extension String {
    /// Returns whether the UTF-8 bytes of the string begin with those of another string.
    package func beginsWithBytes(of text: String) -> Bool {
        utf8.count >= text.utf8.count && utf8.starts(with: text.utf8)
    }

    /// Returns whether the UTF-8 bytes of the string contain those of another string. If `separator` is an ASCII
    /// character, they must contain them after its last occurrence.
    package func containsBytes(of text: String, after separator: UInt8? = nil) -> Bool {
        var remaining = utf8[...]
        if let separator {
            guard let index = remaining.lastIndex(of: separator) else { return false }
            remaining = remaining[index...].dropFirst()
        }
        guard let first = text.utf8.first else { return true }
        let count = text.utf8.count
        // UTF-8 is self-synchronizing, so a match begins at the boundary of a Unicode scalar.
        while remaining.count >= count, let position = remaining.firstIndex(of: first) {
            remaining = remaining[position...]
            if remaining.starts(with: text.utf8) { return true }
            remaining = remaining.dropFirst()
        }
        return false
    }
}
