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
    /// Creates the error for a failed system call.
    ///
    /// - Parameters:
    ///   - error: the error number.
    ///   - operation: the operation, e.g. `read the file`.
    ///   - path: the file or directory.
    package init(_ error: Errno, _ operation: String, path: String? = nil) {
        let (code, reason): (Code, String) =
            switch error {
            case .noSpace, .diskQuotaExceeded, .fileTooLarge:
                (.full, "no space left (\(error)); free some space and retry")
            case .noMemory, .tooManyOpenFiles, .tooManyOpenFilesInSystem:
                (.full, "no memory or file descriptors left (\(error)); free some and retry")
            case .readOnlyFileSystem: (.readOnly, "the file system is read-only")
            case .tooManySymbolicLinkLevels: (.inputOutput, "too many symbolic links, or a link that is not followed")
            default: (.inputOutput, "\(error)")
            }
        self.init(code, reason, operation: operation, path: path, errno: error.rawValue, underlying: error)
    }

    /// Whether creating a hard link failed because the file system, or the file, does not support it.
    package var isLinkUnsupported: Bool {
        errno.map { [EPERM, ENOTSUP, EMLINK, ENOSYS, EXDEV].contains($0) } ?? false
    }

    /// Returns the error of the last failed system call on this thread.
    package static func systemError(_ operation: String, path: String? = nil) -> DataStoreError {
        DataStoreError(Errno(rawValue: currentErrorNumber()), operation, path: path)
    }
}

// In an extension of the type, `errno` means its property.
private func currentErrorNumber() -> Int32 { errno }
