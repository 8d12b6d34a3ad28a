import Foundation

/// A file that a result is written to, or standard output (`-`).
///
/// A file gets its name when it is whole and on the disk; until then it is `.NAME.unfinished-PID` beside it, which goes where
/// the command fails. Pipes and devices are written as they are.
final class OutputFile {
    private let path: String
    private let unfinished: String?
    private let replaces: Bool
    private let descriptor: Int32
    private var isFinished = false

    /// Opens a file for the owner alone.
    ///
    /// - Parameters:
    ///   - path: the file, or `-`.
    ///   - replaces: whether one that is there is replaced.
    /// - Throws: ``OutputExists`` where there is one, ``OutputError``.
    init(_ path: String, replaces: Bool) throws {
        self.path = path
        self.replaces = replaces
        var status = stat()
        // Filled before it returns.
        let exists = unsafe path != "-" && stat(path, &status) == 0
        if path == "-" || exists && status.st_mode & S_IFMT != S_IFREG {
            unfinished = nil
            descriptor = path == "-" ? STDOUT_FILENO : unsafe open(path, O_WRONLY | O_CLOEXEC)
        } else {
            guard !exists || replaces else { throw OutputFile.taken(path) }
            let url = URL(filePath: path)
            let beside = url.deletingLastPathComponent()
                .appending(path: ".\(url.lastPathComponent).unfinished-\(getpid())").path
            unfinished = beside
            descriptor = unsafe open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        }
        guard descriptor >= 0 else { throw OutputFile.failure(path, errno) }
    }

    deinit {
        if descriptor > STDERR_FILENO { close(descriptor) }
        if !isFinished, let unfinished, descriptor >= 0 { unsafe unlink(unfinished) }
    }

    /// Writes bytes behind what was written.
    func write(_ bytes: [UInt8]) throws {
        var code: Int32 = 0
        unsafe bytes.withUnsafeBytes { buffer in
            var count = 0
            while count < buffer.count, code == 0 {
                // The rest of the buffer lives as long as the call.
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[count...])
                let written = unsafe Foundation.write(descriptor, rest.baseAddress, rest.count)
                if written >= 0 { count += written } else if errno != EINTR { code = errno }
            }
        }
        guard code == 0 else { throw OutputFile.failure(path, code) }
    }

    /// Makes the file durable and gives it its name.
    func finish() throws {
        guard let unfinished else { return }
        guard fsync(descriptor) == 0 else { throw OutputFile.failure(path, errno) }
        if replaces {
            guard unsafe rename(unfinished, path) == 0 else { throw OutputFile.failure(path, errno) }
        } else {
            // Unlike a rename, this never replaces a file that was made meanwhile.
            guard unsafe link(unfinished, path) == 0 else {
                throw errno == EEXIST ? OutputFile.taken(path) : OutputFile.failure(path, errno)
            }
            unsafe unlink(unfinished)
        }
        isFinished = true
        let directory = unsafe open(URL(filePath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { throw OutputFile.failure(path, errno) }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw OutputFile.failure(path, errno) }
    }

    private static func taken(_ path: String) -> OutputExists {
        OutputExists(message: "\(path.debugDescription) is there already: give another name, or --replace")
    }

    private static func failure(_ path: String, _ code: Int32) -> OutputError {
        let problem = FileProblem(errno: code)
        let what = path == "-" ? "the result" : path.debugDescription
        return OutputError(
            message: "\(what) cannot be written: \(problem.words)", hasNoReader: problem.isBrokenPipe)
    }
}
