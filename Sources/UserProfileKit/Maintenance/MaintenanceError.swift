import DataStoreCore
import UserProfileDomain

/// Why a store was not looked at, copied or backed up. Nothing was changed, but where it says otherwise.
public struct MaintenanceError: Error, Sendable {
    /// The kinds of failures.
    public enum Code: Sendable {
        /// Nothing was saved there yet.
        case noStore
        /// The store that is to be written has records, and may not be replaced.
        case notEmpty
        /// A store is to be copied to itself.
        case sameStore
        /// Memory is gone with the program, so there is nothing to look at, and no use in writing to it.
        case inMemory
        /// What was read back is not what was written.
        case notEqual
    }

    /// The kind of failure.
    public let code: Code

    /// Which store.
    public let location: StorageLocation

    private let reason: String

    init(_ code: Code, _ location: StorageLocation, _ reason: String) {
        self.code = code
        self.location = location
        self.reason = reason
    }

    static func noStore(_ location: StorageLocation) -> MaintenanceError {
        MaintenanceError(.noStore, location, "nothing was saved there yet")
    }

    static func inMemory(_ location: StorageLocation) -> MaintenanceError {
        MaintenanceError(.inMemory, location, "memory is gone with the program; name a store on the disk")
    }

    var kind: Failure.Kind {
        switch code {
        case .noStore: .noInput
        case .notEmpty: .cannotCreate
        case .sameStore, .inMemory: .badInput
        case .notEqual: .inputOutput
        }
    }
}

extension MaintenanceError: CustomStringConvertible {
    /// One sentence: which store, and what is wrong with it.
    public var description: String { "\(location.description.debugDescription): \(reason)" }
}
