#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The bytes of a file or of standard input (`-`), in pieces.
final class InputBytes {
    /// The size of a file; nil of a pipe or a terminal.
    let byteCount: Int64?

    private static let pieceByteCount = 1 << 18

    private let path: String
    private let descriptor: Int32

    /// Opens a file.
    init(_ path: String) throws {
        self.path = path
        // Opening a pipe waits for who writes to it.
        descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw InputBytes.failure(path, errno) }
        var status = stat()
        // Filled before it returns.
        guard unsafe fstat(descriptor, &status) == 0 else { throw InputBytes.failure(path, errno) }
        byteCount = status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
    }

    deinit { if descriptor != STDIN_FILENO { close(descriptor) } }

    /// Whether a person types it.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// The next bytes; nil at the end.
    func next() throws -> [UInt8]? {
        try wait()
        var code: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: InputBytes.pieceByteCount) { buffer, count in
            // No more than the buffer has room for.
            let result = unsafe read(descriptor, buffer.baseAddress, buffer.count)
            if result < 0 { code = errno } else { count = result }
        }
        if code == EINTR || code == EAGAIN { return try next() }
        guard code == 0 else { throw InputBytes.failure(path, code) }
        return bytes.isEmpty ? nil : bytes
    }

    /// Waits for bytes, and looks now and then whether the task is cancelled: a pipe may have none for long.
    private func wait() throws {
        guard byteCount == nil else { return }
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // The structure lives as long as the call.
        while unsafe poll(&waiting, 1, 100) == 0 { try Task.checkCancellation() }
    }

    private static func failure(_ path: String, _ code: Int32) -> UnreadableFile {
        let problem = FileProblem(errno: code)
        return UnreadableFile(
            message: "\(path.debugDescription) cannot be read: \(problem.words)", isForbidden: problem.isForbidden)
    }
}
