import DataStoreCore
import UserProfileDomain

extension RepositoryError {
    /// A store's failure as the domain names it. `CancellationError` stays what it is.
    static func mapped(_ error: any Error) -> any Error {
        switch error {
        case is CancellationError: error
        case let error as DataStoreError:
            RepositoryError(code(of: error.code), message: error.description, underlying: error)
        default: RepositoryError(.unexpected, message: "\(error)", underlying: error)
        }
    }

    private static func code(of code: DataStoreError.Code) -> Code {
        switch code {
        case .full: .lackOfResources
        case .corrupted, .formatTooNew: .corrupted
        case .busy: .unavailable
        case .notUnique: .conflict
        default: .unexpected
        }
    }
}
