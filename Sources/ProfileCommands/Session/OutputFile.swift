import ArgumentParser
import DataStoreSystem

/// An output file of a command, or standard output (`-`).
///
/// A new file is written under an unpredictable name in the same directory. It is renamed when it is complete and
/// durable, and removed if the command fails. If the process is killed, the next command that writes a new file in the
/// directory removes it. Pipes and devices are written in place.
final class OutputFile: Sendable {
    private let path: String
    private let replaces: Bool
    private let file: File
    /// A file that is renamed when it is complete, or `nil` for a pipe or a device.
    private let unfinished: UnfinishedFile?

    /// Opens a file with mode 0600.
    ///
    /// - Parameters:
    ///   - path: The path of the file, or `-` for standard output.
    ///   - replaces: Whether to replace an existing file.
    /// - Throws: ``CommandError`` if the file exists and `replaces` is `false`, if the path is a symbolic link to a
    ///   regular or missing file, or if the file cannot be opened or created.
    init(_ path: String, replaces: Bool) throws {
        self.path = path
        self.replaces = replaces
        if path == "-" {
            // The duplicate is closed with this object, and standard output stays open.
            file = File(descriptor: dup(STDOUT_FILENO), path: path)
            unfinished = nil
            return
        }
        (file, unfinished) = try OutputFile.reporting(path) {
            let old = try FileStatus.of(path: path, followingLinks: true)
            if let old, old.kind != .regular {
                return (try Interruption.awaitingReader { try File.openForWriting(path) }, nil)
            }
            guard old == nil || replaces else { throw OutputFile.exists(path) }
            if try FileStatus.of(path: path)?.kind == .link {
                throw CommandError(
                    .cannotCreate,
                    "could not write the file at \(path.escapingControlCharacters): "
                        + "a symbolic link; use the path of its target")
            }
            let target = Path(path)
            let directory = try Directory(target.parent)
            try directory.checkPermissions()
            try directory.removeTemporaryFiles("unfinished")
            let new = try UnfinishedFile(target.name, in: directory, "unfinished")
            return (new.file, new)
        }
    }

    /// Appends bytes to the file. Throws ``CommandError`` if they cannot be written.
    func write(_ bytes: [UInt8]) throws {
        try OutputFile.reporting(path) {
            if unfinished != nil {
                try file.write(bytes)
            } else {
                try Interruption.awaitingReader { try file.write(bytes) }
            }
        }
    }

    /// Flushes a new file to the disk and gives it its final name. Does nothing for a pipe or a device.
    ///
    /// - Throws: ``CommandError`` if existing files must not be replaced, and another process has created a file at the
    ///   path, or if the file cannot be flushed or renamed.
    func finish() throws {
        guard let unfinished else { return }
        let isNew = try OutputFile.reporting(path) { try unfinished.finish(replaces: replaces) }
        guard isNew else { throw OutputFile.exists(path) }
    }

    private static func exists(_ path: String) -> CommandError {
        CommandError(
            .cannotCreate, "\(path.escapingControlCharacters) already exists; choose a new path, or pass --replace")
    }

    /// Runs a closure, and throws ``CommandError`` for a `DataStoreError` of it.
    private static func reporting<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DataStoreError {
            let reason = error.errno.map { DataStoreError.meaning(ofErrorNumber: $0).reason } ?? error.reason
            let object = path == "-" ? "the result" : "the file at \(path.escapingControlCharacters)"
            let code = error.errno == EPIPE ? .brokenPipe : ExitCode(Failure(error).kind)
            throw CommandError(code, "could not write \(object): \(reason)")
        }
    }
}
