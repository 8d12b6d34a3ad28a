import DataStoreCore
import UserProfileData
package import UserProfileDomain

extension RepositoryError {
    /// The chain of underlying errors, the nearest first.
    package var causes: [any Error] {
        var causes: [any Error] = []
        var next = underlying
        while let error = next {
            causes.append(error)
            next = (error as? DataStoreError)?.underlying ?? (error as? FieldError)?.underlying
        }
        return causes
    }
}
