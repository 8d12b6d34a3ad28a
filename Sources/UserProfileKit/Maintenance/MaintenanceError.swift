import DataStoreCore
import UserProfileDomain

/// An error of a maintenance operation, such as a check, a copy or a backup of a store.
///
/// The failed operation has changed nothing.
public struct MaintenanceError: Error, Sendable {
    /// The kind of a maintenance error.
    package enum Code: Sendable {
        /// No store exists at the location.
        case noStore
        /// The parent directory of the store's directory does not exist.
        case noDirectory
        /// The target of a copy contains records, and the caller did not allow the copy to replace them.
        case notEmpty
        /// The source and the target of a copy are the same store.
        case sameStore
        /// The store, e.g. one in memory, does not keep records after the process ends.
        case notPersistent
        /// The records that were read back from a copy differ from the written ones.
        case notEqual
    }

    /// The kind of the error.
    package let code: Code

    /// The location of the store.
    package let location: StorageLocation

    private let reason: String

    init(_ code: Code, _ location: StorageLocation, _ reason: String) {
        self.code = code
        self.location = location
        self.reason = reason
    }

    static func noStore(_ location: StorageLocation) -> MaintenanceError {
        MaintenanceError(.noStore, location, DataStoreError.missing().reason)
    }

    static func noDirectory(_ path: String, _ location: StorageLocation) -> MaintenanceError {
        MaintenanceError(
            .noDirectory, location, "the directory \(path.debugDescription) does not exist; create it first")
    }

    static func notPersistent(_ location: StorageLocation) -> MaintenanceError {
        MaintenanceError(.notPersistent, location, "it is not persistent; choose a persistent store")
    }

    var kind: Failure.Kind {
        switch code {
        case .noStore: .noInput
        case .notEmpty, .noDirectory: .cannotCreate
        case .sameStore, .notPersistent: .badInput
        case .notEqual: .inputOutput
        }
    }
}

extension MaintenanceError: CustomStringConvertible {
    /// One sentence that states the operation, the location and the reason.
    public var description: String {
        let operation =
            switch code {
            case .noStore: "open the store"
            case .noDirectory: "create the store"
            case .notPersistent: "use the store"
            case .notEmpty, .sameStore: "copy to the store"
            case .notEqual: "verify the copy"
            }
        return "could not \(operation) at \(location.description.debugDescription): \(reason)"
    }
}
