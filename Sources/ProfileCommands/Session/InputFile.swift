import UserProfileDomain

/// An input document of a command: a file, or standard input if its name is `-`.
struct InputFile {
    /// The maximum size of a document in bytes. No weather document is larger, and the limit ends the reading of
    /// endless files such as `/dev/zero`.
    private static let maximumByteCount = 1 << 20

    private let path: String

    init(_ path: String) { self.path = path }

    /// Reads the document. Throws ``UnreadableFile`` if it cannot be read, or `ValidationError` if it is too large.
    func read() throws -> [UInt8] {
        let input = try InputBytes(path)
        var bytes: [UInt8] = []
        while let piece = try input.next() {
            bytes += piece
            guard bytes.count <= InputFile.maximumByteCount else {
                throw ValidationError(
                    .weatherDocument, given: path, rule: "the file has more than \(InputFile.maximumByteCount) bytes")
            }
        }
        return bytes
    }
}
