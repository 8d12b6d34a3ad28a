import DataStoreCore
import DataStoreSystem

/// The reason why a file cannot be read or written.
struct FileProblem {
    private let code: Int32?

    /// The reason and the remedy, as the last part of an error message.
    let description: String

    init(_ error: any Error) {
        let found = error as? DataStoreError
        (code, description) = (found?.errno, found?.reason ?? "\(error)")
    }

    /// Creates a reason from the error number of a failed system call.
    init(errno: Int32) {
        code = errno
        description =
            errno == EPIPE
            ? "the reader has closed the pipe" : DataStoreError.meaning(ofErrorNumber: errno).reason
    }

    /// Whether the operating system denied permission.
    var isForbidden: Bool { code == EACCES || code == EPERM }

    /// Whether the file does not exist.
    var isMissing: Bool { code == ENOENT }

    /// Whether a write failed because the reader has closed the pipe.
    var isBrokenPipe: Bool { code == EPIPE }
}
