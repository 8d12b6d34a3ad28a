import DataStoreCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The reason why a file cannot be read or written, in words for a person.
struct FileProblem {
    private let code: Int32?
    private let fallback: String

    init(_ error: any Error) {
        let error = error as? DataStoreError
        (code, fallback) = (error?.errno, error?.reason ?? "it cannot be used")
    }

    /// Creates a problem from the error number of a failed call.
    init(errno: Int32) {
        code = errno
        // The text belongs to the C library, so it is copied.
        fallback = unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)"
    }

    /// Whether the operating system denied permission.
    var isForbidden: Bool { code == EACCES || code == EPERM }

    /// Whether the reading end of the pipe is closed.
    var isBrokenPipe: Bool { code == EPIPE }

    /// Whether the file does not exist.
    var isMissing: Bool { code == ENOENT }

    /// The reason, as the end of a sentence.
    var description: String {
        switch code {
        case ENOENT: "there is no such file"
        case EACCES, EPERM: "you have no permission"
        case EISDIR: "it is a directory"
        case ENOTDIR: "a part of the path is not a directory"
        case ENOSPC: "there is no room left"
        case EPIPE: "nobody reads it any more"
        case EBADF: "it is closed"
        default: fallback
        }
    }
}
