import DataStoreFiles
import UserProfileDomain

extension StoreKind {
    /// `true`: records outlive the process.
    public var isPersistent: Bool { true }

    /// `true`: indexes are stored with the records.
    public var storesIndexes: Bool { true }

    /// Returns whether the data file exists, or `true` if the kind has none.
    public func exists(at address: String) async throws -> Bool {
        guard let file = dataFile(at: address) else { return true }
        return try FileStamp.ifExists(path: file) != nil
    }

    /// Returns `nil`: the kind has no data file.
    public func dataFile(at address: String) -> String? { nil }

    /// Returns the scheme.
    public func format(at address: String) async throws -> String { scheme }

    /// Returns no findings.
    public func check(at address: String) async throws -> [String] { [] }

    /// Throws a ``MaintenanceError``, because the kind does not support the operation.
    public func backUp(at address: String, to path: String) async throws {
        throw MaintenanceError.unsupportedBackup(StorageLocation(kind: self, address: address))
    }

    /// Throws a ``MaintenanceError``, because the kind does not support the operation.
    public func compact(at address: String) async throws {
        throw MaintenanceError.unsupportedCompaction(StorageLocation(kind: self, address: address))
    }
}

extension [any StoreKind] {
    /// The kinds of stores on this machine: LMDB environments, property-list files and memory.
    public static var local: [any StoreKind] { [LMDBStoreKind(), PlistStoreKind(), MemoryStoreKind()] }

    /// The kinds of stores on this machine. Every page of LMDB environments is verified before it is used.
    package static var verifyingLocal: [any StoreKind] {
        [LMDBStoreKind(verifiesPages: true), PlistStoreKind(), MemoryStoreKind()]
    }
}
