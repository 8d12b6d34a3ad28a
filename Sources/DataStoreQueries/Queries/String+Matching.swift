import DataStoreCore

extension String {
    /// Returns whether the UTF-8 bytes of the string begin with those of another string.
    package func beginsWithBytes(of text: String) -> Bool {
        withBytes { own in text.withBytes { own.begins(with: $0) } }
    }

    /// Returns whether the UTF-8 bytes of the string contain those of another string. If `separator` is an ASCII
    /// character, they must contain them after its last occurrence.
    package func containsBytes(of text: String, after separator: UInt8? = nil) -> Bool {
        withBytes { own in text.withBytes { own.contains($0, after: separator) } }
    }
}

extension Span<UInt8> {
    /// Returns whether the bytes begin with other bytes.
    func begins(with other: Span<UInt8>, at offset: Int = 0) -> Bool {
        guard count - offset >= other.count else { return false }
        for index in other.indices where self[offset + index] != other[index] { return false }
        return true
    }

    /// Returns whether the bytes contain other bytes. If `separator` is an ASCII character, they must contain them
    /// after its last occurrence.
    func contains(_ other: Span<UInt8>, after separator: UInt8?) -> Bool {
        var start = 0
        if let separator {
            guard let last = indices.last(where: { self[$0] == separator }) else { return false }
            start = last + 1
        }
        guard !other.isEmpty else { return true }
        // UTF-8 is self-synchronizing, so a match begins at the boundary of a Unicode scalar.
        let (first, end) = (other[0], count - other.count)
        while start <= end {
            if self[start] == first, begins(with: other, at: start) { return true }
            start += 1
        }
        return false
    }
}
