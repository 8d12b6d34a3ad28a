package import SystemPackage

extension DataStoreError {
    /// Creates the error for a failed system call.
    ///
    /// - Parameters:
    ///   - error: The error number of the operating system.
    ///   - operation: The failed operation, e.g. `read the file`.
    ///   - path: The path of the file or directory, or `nil` if the error concerns no path.
    package init(_ error: Errno, _ operation: String, path: String? = nil) {
        let (code, reason) = DataStoreError.meaning(ofErrorNumber: error.rawValue)
        self.init(code, reason, operation: operation, path: path, errno: error.rawValue, underlying: error)
    }

    /// Returns the error code for an error number of the operating system, and a reason that states the cause and, if
    /// known, a remedy.
    package static func meaning(ofErrorNumber code: Int32) -> (code: Code, reason: String) {
        let error = Errno(rawValue: code)
        return switch error {
        case .noSpace: (.full, "no space left on the device; free some space and retry")
        case .diskQuotaExceeded: (.full, "the disk quota is exceeded; free some space and retry")
        case .fileTooLarge: (.full, "the file size limit is exceeded; raise it (ulimit -f) and retry")
        case .noMemory: (.full, "out of memory; free some memory and retry")
        case .tooManyOpenFiles: (.full, "too many open files in the process; close some or raise the limit (ulimit -n)")
        case .tooManyOpenFilesInSystem: (.full, "too many open files in the system; close some and retry")
        case .noLocks: (.full, "too many file locks in the system; release some and retry")
        case .readOnlyFileSystem: (.readOnly, "the file system is read-only; remount it or choose another path")
        case .permissionDenied, .notPermitted:
            (.inputOutput, "permission denied; check the owner and the permissions of the path")
        case .noSuchFileOrDirectory: (.inputOutput, "no such file or directory; check the path")
        case .notDirectory: (.inputOutput, "a part of the path is not a directory; check the path")
        case .isDirectory: (.inputOutput, "the path names a directory; choose a file")
        case .fileNameTooLong: (.inputOutput, "the path is too long; choose a shorter one")
        case .tooManySymbolicLinkLevels:
            (.inputOutput, "too many symbolic links, or a link that is not followed; use the path of its target")
        case .ioError: (.inputOutput, "the device failed (\(error)); check the disk")
        default: (.inputOutput, "\(error)")
        }
    }
}

/// Checks the result of a system call, which is negative if the call failed.
///
/// - Returns: The result, or `nil` if the call failed with one of the expected errors.
/// - Throws: The `DataStoreError` of any other error.
@discardableResult
func checked(
    _ result: Int32, _ operation: String, _ path: @autoclosure () -> String?, or expected: Int32? = nil,
    _ second: Int32? = nil, _ third: Int32? = nil
) throws(DataStoreError) -> Int32? {
    guard result < 0 else { return result }
    let code = errno
    if code == expected || code == second || code == third { return nil }
    throw DataStoreError(Errno(rawValue: code), operation, path: path())
}
