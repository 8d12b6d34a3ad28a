import DataStoreSystem
import ArgumentParser

/// A signal handler that reports a memory fault while a data file is read.
///
/// Stores verify the data that they read. A fault is still possible if another program truncates or overwrites the data
/// file while it is in use. It is also possible during writes to a damaged store that is too large to be checked first.
enum FaultReport {
    private static let message: StaticString =
        "profile-cli: a memory fault ended the command; the store may be damaged; run profile-cli store check\n"

    /// Installs the handler, so that a fault ends the program with a message and the exit code 74.
    static func arm() {
        for number in [SIGSEGV, SIGBUS, SIGABRT] {
            // A signal handler may call only async-signal-safe functions such as write(2).
            _ = signal(number) { _ in
                let message = FaultReport.message
                // The text is static.
                _ = unsafe write(STDERR_FILENO, message.utf8Start, message.utf8CodeUnitCount)
                _exit(ExitCode.inputOutput.rawValue)
            }
        }
    }
}
