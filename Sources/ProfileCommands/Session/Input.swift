import DataStoreSystem

/// The bytes of a file or of standard input (`-`), read in chunks.
final class InputBytes {
    /// The size of a regular file in bytes, or `nil` for a pipe or a terminal.
    let byteCount: Int64?

    private static let pieceByteCount = 1 << 18

    private let path: String
    private let file: File

    /// Opens a file. Throws ``CommandError`` if it cannot be opened.
    init(_ path: String) throws {
        self.path = path
        // The duplicate is closed with this object, and standard input stays open. Opening a named pipe blocks until
        // another process opens it for writing.
        let descriptor = path == "-" ? dup(STDIN_FILENO) : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw InputBytes.failure(path, errno) }
        file = File(descriptor: descriptor, path: path)
        let status = try file.status()
        byteCount = status.kind == .regular ? Int64(status.size) : nil
    }

    /// Whether the input is a terminal.
    var isTerminal: Bool { isatty(file.descriptor) == 1 }

    /// Returns the next bytes, or `nil` at the end of the input.
    ///
    /// - Throws: ``CommandError`` if the input cannot be read, or `CancellationError` if the task is cancelled.
    func next() throws -> [UInt8]? {
        try wait()
        var code: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: InputBytes.pieceByteCount) { buffer, count in
            // The call writes at most as many bytes as the buffer holds.
            let result = unsafe read(file.descriptor, buffer.baseAddress, buffer.count)
            if result < 0 { code = errno } else { count = result }
        }
        if code == EINTR || code == EAGAIN { return try next() }
        guard code == 0 else { throw InputBytes.failure(path, code) }
        return bytes.isEmpty ? nil : bytes
    }

    /// Waits until a pipe or a terminal has bytes or has reached its end. Throws `CancellationError` if the task is
    /// cancelled, because a pipe may be idle for a long time.
    private func wait() throws {
        guard byteCount == nil else { return }
        var waiting = pollfd(fd: file.descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            // The call uses the structure only until it returns.
            let count = unsafe poll(&waiting, 1, 100)
            // A signal interrupts the call. Without the check, the next read would block.
            guard count == 0 || count < 0 && errno == EINTR else { return }
            try Task.checkCancellation()
        }
    }

    private static func failure(_ path: String, _ code: Int32) -> CommandError {
        let object = path == "-" ? "standard input" : "the file at \(path.escapingControlCharacters)"
        return .unreadable("could not read \(object)", code, DataStoreError.meaning(ofErrorNumber: code).reason)
    }
}

extension InputBytes {
    /// Reads a document: a file, or standard input if the path is `-`.
    ///
    /// - Parameters:
    ///   - path: The path, or `-`.
    ///   - subject: The kind of document, for errors.
    ///   - maximumByteCount: The maximum size in bytes, which also ends the reading of endless files such as
    ///     `/dev/zero`.
    /// - Returns: The bytes of the document.
    /// - Throws: ``CommandError`` if the document cannot be read, or `ValidationError` if it is too large.
    static func document(
        at path: String, as subject: ValidationError.Subject, maximumByteCount: Int
    ) throws -> [UInt8] {
        let input = try InputBytes(path)
        if input.isTerminal { Console.note("reading from the terminal; press Ctrl-D to end the input") }
        var bytes: [UInt8] = []
        while let piece = try input.next() {
            bytes += piece
            guard bytes.count <= maximumByteCount else {
                throw ValidationError(subject, given: path, rule: "the file has more than \(maximumByteCount) bytes")
            }
        }
        return bytes
    }

    /// Returns the bytes of a JSON argument. If the argument is `-`, reads at most 128 MiB from standard input instead.
    static func json(_ argument: String) throws -> [UInt8] {
        // A record has 64 MiB at most, and base64 makes it a third longer.
        guard argument == "-" else { return Array(argument.utf8) }
        return try document(at: "-", as: .init("JSON"), maximumByteCount: 128 << 20)
    }
}
