import DataStoreSystem
import DataStoreCore

/// An error which states that an input file could not be read.
package struct SourceError: Error, Sendable {
    /// The path of the file.
    package let path: String

    /// The error that caused this one.
    package let underlying: any Error

    /// The kind of failure that ``Failure`` reports for this error.
    let kind: Failure.Kind

    private let reason: String

    init(path: String, underlying error: DataStoreError) {
        self.path = path
        underlying = error
        reason = error.reason
        kind =
            switch (error.code, error.errno) {
            case (.corrupted, _): .badInput
            case (.notAStore, _): .noInput
            case (_, EACCES), (_, EPERM): .noPermission
            case (_, ENOENT), (_, ENOTDIR), (_, ELOOP), (_, ENAMETOOLONG), (_, EISDIR): .noInput
            default: .inputOutput
            }
    }
}

extension SourceError: CustomStringConvertible {
    /// One sentence that states the operation, the path and the reason.
    package var description: String { "could not read the file at \(path.escapingControlCharacters): \(reason)" }
}
