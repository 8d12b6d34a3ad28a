/// The bytes before and after the entry `UserProfile` in an XML file. A write preserves them.
package struct XMLTemplate: Sendable {
    let before: [UInt8]
    let after: [UInt8]

    /// Creates the template for a new file.
    ///
    /// - Parameter foreign: The entries of other programs with their keys, from another file.
    init(foreign: [ArraySlice<UInt8>] = []) {
        let beginning = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>

            """
        before = Array(beginning.utf8) + foreign.flatMap { [0x09] + $0 + [0x0A] }
        after = Array("</dict>\n</plist>\n".utf8)
    }

    /// Creates the template of an existing file.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the file.
    ///   - ownEntry: The range of the entry `UserProfile`, or `nil` if the file has none.
    ///   - root: The root dictionary: the range of its opening tag, whether this tag is an empty element (`<dict/>`),
    ///     and the start of the closing tag.
    init(_ bytes: [UInt8], ownEntry: Range<Int>?, root: (tag: Range<Int>, isEmpty: Bool, end: Int)) {
        if let ownEntry {
            // The neighboring white space is dropped, because the writer indents each line and ends it with a line
            // feed.
            before = Self.linesBefore(bytes[..<ownEntry.lowerBound])
            after = Array(Self.droppingLineEnd(bytes[ownEntry.upperBound...]))
        } else if root.isEmpty {
            before = Array(bytes[..<root.tag.lowerBound]) + Array("<dict>\n".utf8)
            after = Array("</dict>".utf8) + bytes[root.tag.upperBound...]
        } else {
            before = Self.linesBefore(bytes[..<root.end])
            after = Array(bytes[root.end...])
        }
    }

    /// Returns bytes without the indentation of an unfinished last line, and with a line feed at the end.
    private static func linesBefore(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let trimmed = bytes.dropLast(bytes.reversed().prefix { $0 == 0x20 || $0 == 0x09 }.count)
        return Array(trimmed) + (trimmed.last == 0x0A ? [] : [0x0A])
    }

    private static func droppingLineEnd(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let line = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        return line.dropFirst(line.starts(with: [0x0D, 0x0A]) ? 2 : line.first == 0x0A ? 1 : 0)
    }
}
