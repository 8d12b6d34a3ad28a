import ArgumentParser
import UserProfileKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The standard output and the standard error of the program.
enum Output {
    /// Writes a line and flushes it, because output to a pipe is buffered.
    static func write(_ line: String) {
        print(line)
        fflush(nil)
    }

    /// Writes the message of an error to standard error.
    ///
    /// - Returns: The exit code, to be thrown.
    static func report(_ error: any Error, _ code: ExitCode) -> ExitCode {
        writeError("profile-studio: \(Failure(error).message)\n")
        return code
    }
}

private func writeError(_ text: String) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

/// The codes of sysexits.h that `profile-cli` has for the same failures.
extension ExitCode {
    static let usage = ExitCode(EX_USAGE)
    static let unavailable = ExitCode(EX_UNAVAILABLE)
    static let noPermission = ExitCode(EX_NOPERM)

    init(_ kind: Failure.Kind) {
        self =
            switch kind {
            case .badInput: ExitCode(EX_DATAERR)
            case .noInput, .notFound: ExitCode(EX_NOINPUT)
            case .cannotCreate: ExitCode(EX_CANTCREAT)
            case .noPermission: .noPermission
            case .busy, .cancelled: ExitCode(EX_TEMPFAIL)
            case .inputOutput: ExitCode(EX_IOERR)
            case .unavailable: .unavailable
            case .unexpected: ExitCode(EX_SOFTWARE)
            }
    }
}
