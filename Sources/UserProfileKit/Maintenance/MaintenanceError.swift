/// An error of a maintenance operation, such as a check, a copy or a backup of a store.
///
/// ```swift
/// do { try await location.compact() } catch let error as MaintenanceError { print(error) }
/// ```
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

    static func notPersistent(_ location: StorageLocation) -> MaintenanceError {
        MaintenanceError(.notPersistent, location, "it is not persistent; choose a persistent store")
    }

    private var traits: (operation: String, kind: Failure.Kind) {
        switch code {
        case .noStore: ("open the store", .noInput)
        case .noDirectory: ("create the store", .cannotCreate)
        case .notPersistent: ("use the store", .badInput)
        case .notEmpty: ("copy to the store", .cannotCreate)
        case .sameStore: ("copy to the store", .badInput)
        case .notEqual: ("verify the copy", .inputOutput)
        }
    }

    var kind: Failure.Kind { traits.kind }
}

extension MaintenanceError: CustomStringConvertible {
    /// One sentence that states the operation, the location and the reason.
    public var description: String {
        "could not \(traits.operation) at \(location.description.debugDescription): \(reason)"
    }
}
