import DataStoreCore
import DataStoreFiles

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The reason why a file cannot be read or written.
struct FileProblem {
    private let code: Int32?

    /// The reason and the remedy, as the end of a sentence.
    let words: String

    init(_ error: any Error) {
        let found = error as? DataStoreError
        (code, words) = (found?.errno, found?.reason ?? "\(error)")
    }

    /// Creates a problem from the error number of a failed call.
    init(errno: Int32) {
        code = errno
        words =
            errno == EPIPE
            ? "the reader has closed the pipe" : DataStoreError.meaning(ofErrorNumber: errno).reason
    }

    /// Whether the operating system denied permission.
    var isForbidden: Bool { code == EACCES || code == EPERM }

    /// Whether the reading end of the pipe is closed.
    var isBrokenPipe: Bool { code == EPIPE }
}
