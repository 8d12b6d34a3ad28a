import DataStoreCore
import Foundation

/// Why Foundation could not read or write a file, in words for a person.
struct FileProblem {
    private let code: Int32?
    private let fallback: String

    init(_ error: any Error) {
        if let error = error as? DataStoreError {
            (code, fallback) = (error.errno, error.reason)
            return
        }
        let error = error as NSError
        let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
        let posix = [error, underlying].compactMap(\.self).first { $0.domain == NSPOSIXErrorDomain }
        code =
            switch (posix, (error as? CocoaError)?.code) {
            case (let posix?, _): Int32(truncatingIfNeeded: posix.code)
            case (nil, .fileReadNoSuchFile?), (nil, .fileNoSuchFile?): ENOENT
            case (nil, .fileReadNoPermission?): EACCES
            default: nil
            }
        fallback = error.localizedDescription
    }

    /// The error number of a call that failed.
    init(errno: Int32) { self.init(NSError(domain: NSPOSIXErrorDomain, code: Int(errno))) }

    /// Whether the operating system forbids it.
    var isForbidden: Bool { code == EACCES || code == EPERM }

    /// Whether nobody reads what is written.
    var isBrokenPipe: Bool { code == EPIPE }

    /// Whether there is nothing to read.
    var isMissing: Bool { code == ENOENT }

    /// What is wrong, as the end of a sentence.
    var words: String {
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
