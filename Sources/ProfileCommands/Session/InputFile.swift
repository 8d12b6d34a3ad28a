import UserProfileDomain

/// An input document of a command: a file, or standard input if its name is `-`.
struct InputFile {
    private let path: String
    private let subject: ValidationError.Subject
    private let maximumByteCount: Int

    /// Creates an input document without opening the file.
    ///
    /// - Parameters:
    ///   - path: The path, or `-`.
    ///   - subject: The kind of document, for errors.
    ///   - maximumByteCount: The maximum size in bytes, which also ends the reading of endless files such as
    ///     `/dev/zero`.
    init(_ path: String, as subject: ValidationError.Subject, maximumByteCount: Int) {
        self.path = path
        self.subject = subject
        self.maximumByteCount = maximumByteCount
    }

    /// Reads the document. Throws ``UnreadableFile`` if it cannot be read, or `ValidationError` if it is too large.
    func read() throws -> [UInt8] {
        let input = try InputBytes(path)
        if input.isTerminal { Console.error("reading from the terminal; press Ctrl-D to end the input") }
        var bytes: [UInt8] = []
        while let piece = try input.next() {
            bytes += piece
            guard bytes.count <= maximumByteCount else {
                throw ValidationError(subject, given: path, rule: "the file has more than \(maximumByteCount) bytes")
            }
        }
        return bytes
    }
}

extension InputFile {
    /// Returns an input file that contains a weather document of at most 1 MiB.
    static func weather(_ path: String) -> InputFile {
        InputFile(path, as: .weatherDocument, maximumByteCount: 1 << 20)
    }

    /// Returns the bytes of a JSON argument. If the argument is `-`, reads at most 128 MiB from standard input instead.
    ///
    /// - Throws: ``UnreadableFile`` if standard input cannot be read, or `ValidationError` if it is too large.
    static func json(_ argument: String) throws -> [UInt8] {
        // A record has 64 MiB at most, and base64 makes it a third longer.
        guard argument == "-" else { return Array(argument.utf8) }
        return try InputFile("-", as: .init("JSON"), maximumByteCount: 128 << 20).read()
    }
}
