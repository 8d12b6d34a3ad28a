extension PlistDataStore.Format {
    /// The number of bytes at the start of a file from which its format is detected.
    package static let prefixByteCount = 1024

    /// Detects the format from the first bytes of a file. Returns `nil` if the file is not a property list.
    ///
    /// Bytes after the first ``prefixByteCount`` are ignored, so a caller can reject a large file before reading all of
    /// it.
    ///
    /// - Parameter bytes: The file, or at least its first ``prefixByteCount`` bytes.
    package init?(firstBytes bytes: some Collection<UInt8>) {
        var prefix = Array(bytes.prefix(Self.prefixByteCount))[...]
        if prefix.starts(with: BinaryReader.signature) {
            self = .binary
            return
        }
        if prefix.starts(with: [0xEF, 0xBB, 0xBF]) { prefix = prefix.dropFirst(3) }
        prefix = prefix.drop(while: XMLReader.isSpace)
        let beginnings = ["<?xml", "<!DOCTYPE plist", "<plist", "<!--"]
        guard beginnings.contains(where: { prefix.starts(with: $0.utf8) }) else { return nil }
        self = .xml
    }

    /// Returns the reason for which a file with these first bytes has no format.
    package static func rejection(firstBytes bytes: some Collection<UInt8>) -> String {
        // A byte order mark, or the character `<`.
        let isUTF16 = [[0xFE, 0xFF], [0xFF, 0xFE], [0, 0x3C], [0x3C, 0]].contains(Array(bytes.prefix(2)))
        return isUTF16
            ? "the encoding is UTF-16; convert the file (iconv -f UTF-16 -t UTF-8), and change the encoding in its "
                + "first line to UTF-8"
            : "neither an XML nor a binary property list"
    }
}
