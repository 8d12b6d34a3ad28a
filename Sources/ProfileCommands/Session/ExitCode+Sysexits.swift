import DataStoreSystem
import ArgumentParser

/// The exit codes of sysexits.h, the code 1 if a value is not saved, and the code that a shell reports for a broken
/// pipe.
extension ExitCode {
    static let notSaved = ExitCode(1)
    static let usage = ExitCode(EX_USAGE)
    static let badInput = ExitCode(EX_DATAERR)
    static let noInput = ExitCode(EX_NOINPUT)
    static let unavailable = ExitCode(EX_UNAVAILABLE)
    static let unexpected = ExitCode(EX_SOFTWARE)
    static let cannotCreate = ExitCode(EX_CANTCREAT)
    static let inputOutput = ExitCode(EX_IOERR)
    static let tryAgain = ExitCode(EX_TEMPFAIL)
    static let noPermission = ExitCode(EX_NOPERM)
    static let configuration = ExitCode(EX_CONFIG)
    static let brokenPipe = ExitCode(128 + SIGPIPE)
}
