import DataStoreCore
package import UserProfileDomain

extension RepositoryError {
    /// A store's failure as the domain names it. `CancellationError` stays what it is.
    package static func mapped(_ error: any Error) -> any Error { error is CancellationError ? error : of(error) }

    /// Any failure as the domain names it.
    static func of(_ error: any Error) -> RepositoryError {
        guard let error = error as? DataStoreError else {
            return RepositoryError(.unexpected, message: "\(error)", underlying: error)
        }
        return RepositoryError(code(of: error.code), message: error.description, underlying: error)
    }

    private static func code(of code: DataStoreError.Code) -> Code {
        switch code {
        case .full: .lackOfResources
        case .corrupted, .formatTooNew: .corrupted
        case .busy, .indexNotReady: .unavailable
        case .notUnique: .conflict
        default: .unexpected
        }
    }
}
