/// A search for the next key after damage in an XML file. It recognizes a key by the indentation of earlier keys.
struct XMLRecovery {
    /// The indentation of the keys of each level, from the root dictionary to the deepest level so far.
    private var indents: [ArraySlice<UInt8>] = []
    /// The number of bytes that recovery may still read again, initially eight times the size of the file. The limit
    /// keeps the time of recovery proportional to the size.
    private var rereadableCount: Int

    init(byteCount: Int) { rereadableCount = 8 * byteCount }

    /// Stores the indentation of a key if the key begins its line and no indentation is known for its level yet.
    mutating func noteKey(at index: Int, _ level: XMLFile.Level, in bytes: [UInt8]) {
        guard indents.count == level.rawValue else { return }
        var start = index
        while start > 0, Self.isIndentation(bytes[start - 1]) { start -= 1 }
        if start == 0 || bytes[start - 1] == 0x0A { indents.append(bytes[start..<index]) }
    }

    /// Returns the next key that begins a line and is indented like the keys of `level` or of a level around it.
    ///
    /// Each of these levels must be indented more deeply than the level around it. Otherwise a field could be mistaken
    /// for a record, so no key is found.
    ///
    /// - Parameters:
    ///   - start: The start of the damaged entry.
    ///   - end: The position up to which the damaged entry was read. The search begins at `start`, because intact keys
    ///     may precede `end`, e.g. after the start of an unclosed comment. If recovery has read too many bytes again,
    ///     the search begins at `end`.
    ///   - level: The level of the entry, or `nil` if no dictionary is being read. In this case, no key is found.
    ///   - reader: The reader of the file.
    /// - Returns: The level and the position of the key, or `nil` if no key is found.
    mutating func nextKey(
        after start: Int, readTo end: Int, _ level: XMLFile.Level?, in reader: XMLReader
    ) -> (level: XMLFile.Level, start: Int)? {
        let open = indents.prefix((level?.rawValue ?? -1) + 1)
        guard zip(open, open.dropFirst()).allSatisfy({ $0.count < $1.count }) else { return nil }
        rereadableCount -= end - start
        var index = rereadableCount < 0 ? end : start
        while let lineEnd = reader.bytes[index...].firstIndex(of: 0x0A) {
            let indent = reader.bytes[(lineEnd + 1)...].prefix(while: Self.isIndentation)
            index = indent.endIndex
            guard reader.has("<key>", at: index), let found = open.firstIndex(where: { $0.elementsEqual(indent) }),
                let level = XMLFile.Level(rawValue: found)
            else { continue }
            return (level, index)
        }
        return nil
    }

    private static func isIndentation(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
