import UserProfileDomain

/// A document that a command reads: a file, or standard input where its name is `-`.
struct InputFile {
    /// The most bytes of a document: what is larger is no weather document, and not all of `/dev/zero` is read.
    private static let maximumByteCount = 1 << 20

    private let path: String

    init(_ path: String) { self.path = path }

    /// The bytes of the document.
    func read() throws -> [UInt8] {
        let input = try InputBytes(path)
        var bytes: [UInt8] = []
        while let piece = try input.next() {
            bytes += piece
            guard bytes.count <= InputFile.maximumByteCount else {
                throw ValidationError(
                    .weatherDocument, given: path, rule: "it has more than \(InputFile.maximumByteCount) bytes")
            }
        }
        return bytes
    }
}
