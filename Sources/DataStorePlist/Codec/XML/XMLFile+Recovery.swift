// After damage, reading continues at the next key, which is recognized by the indentation of earlier keys.
extension XMLFile {
    /// Stores the indentation of the current key if the key begins its line and no indentation is known for its level
    /// yet.
    mutating func noteIndentation(of level: Level) {
        guard indents.count == level.rawValue else { return }
        let bytes = reader.bytes
        var start = keyStart
        while start > 0, Self.isIndentation(bytes[start - 1]) { start -= 1 }
        if start == 0 || bytes[start - 1] == 0x0A { indents.append(bytes[start..<keyStart]) }
    }

    /// Continues at the next key after the damage, or at the end of the file if no key is found.
    mutating func resume(after error: PropertyListError) {
        let next = nextKey(readTo: max(reader.position, error.offset))
        if next?.level == .entries, let start = ownEntry?.lowerBound, let end = next?.start { ownEntry = start..<end }
        level = next?.level
        reader.position = next?.start ?? reader.bytes.count
    }

    /// Continues at the key `UserProfile` after damage at the beginning of the file.
    mutating func resumeAtRootKey() {
        let start = reader.bytes.indices.first { reader.has("<key>UserProfile</key>", at: $0) }
        if start == nil { level = nil }
        reader.position = start ?? reader.bytes.count
    }

    /// Returns the next key that begins a line and is indented like the keys of the current level or of a level around
    /// it.
    ///
    /// Each of these levels must be indented more deeply than the level around it. Otherwise a field could be mistaken
    /// for a record, so no key is found.
    ///
    /// - Parameter end: The position up to which the damaged entry was read. The search begins at the start of this
    ///   entry, because intact keys may precede `end`, e.g. after the start of an unclosed comment. If recovery has
    ///   read too many bytes again, the search begins at `end`.
    /// - Returns: The level and the position of the key, or `nil` if no key is found.
    private mutating func nextKey(readTo end: Int) -> (level: Level, start: Int)? {
        let open = indents.prefix((level?.rawValue ?? -1) + 1)
        guard zip(open, open.dropFirst()).allSatisfy({ $0.count < $1.count }) else { return nil }
        rereadableCount -= end - keyStart
        var index = rereadableCount < 0 ? end : keyStart
        while let lineEnd = reader.bytes[index...].firstIndex(of: 0x0A) {
            let indent = reader.bytes[(lineEnd + 1)...].prefix(while: Self.isIndentation)
            index = indent.endIndex
            guard reader.has("<key>", at: index), let found = open.firstIndex(where: { $0.elementsEqual(indent) }),
                let level = Level(rawValue: found)
            else { continue }
            return (level, index)
        }
        return nil
    }

    private static func isIndentation(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
