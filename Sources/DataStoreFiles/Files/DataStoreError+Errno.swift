package import DataStoreCore
package import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension DataStoreError {
    /// A failed call of the operating system.
    ///
    /// - Parameters:
    ///   - error: the error number.
    ///   - operation: what was done, e.g. `read the file`.
    ///   - path: the file or directory.
    package init(_ error: Errno, _ operation: String, path: String? = nil) {
        let (code, reason): (Code, String) =
            switch error {
            case .noSpace, .diskQuotaExceeded, .fileTooLarge:
                (.full, "no space left (\(error)); free some space and retry")
            case .readOnlyFileSystem: (.readOnly, "the file system is read-only")
            case .tooManySymbolicLinkLevels: (.inputOutput, "too many symbolic links, or a link that is not followed")
            default: (.inputOutput, "\(error)")
            }
        self.init(code, reason, operation: operation, path: path, errno: error.rawValue, underlying: error)
    }

    /// Whether a second name for a file failed because the file system, or the file, cannot have one.
    package var isLinkUnsupported: Bool {
        errno.map { [EPERM, ENOTSUP, EMLINK, ENOSYS, EXDEV].contains($0) } ?? false
    }

    /// The call of the operating system that has just failed on this thread.
    package static func lastCall(_ operation: String, path: String? = nil) -> DataStoreError {
        DataStoreError(Errno(rawValue: currentErrorNumber()), operation, path: path)
    }
}

// Within the type, `errno` means its own property.
private func currentErrorNumber() -> Int32 { errno }
