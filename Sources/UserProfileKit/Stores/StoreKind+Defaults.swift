import DataStoreSystem
import UserProfileDomain

extension StoreKind {
    /// `true`: records outlive the process.
    public var isPersistent: Bool { true }

    /// `true`: indexes are stored with the records.
    public var storesIndexes: Bool { true }

    /// Returns whether the data file exists. If the kind has no data file, the result is `true`.
    public func exists(at address: String) async throws -> Bool {
        guard let file = dataFile(at: address) else { return true }
        return try FileStamp.ifExists(path: file) != nil
    }

    /// Returns `nil`, for a kind without a data file.
    public func dataFile(at address: String) -> String? { nil }

    /// Returns the scheme as the description of the format.
    public func format(at address: String) async throws -> String { scheme }

    /// Returns no findings, for a kind without checks.
    public func check(at address: String) async throws -> [String] { [] }

    /// Throws a ``MaintenanceError``, for a kind that does not support backups.
    public func backUp(at address: String, to path: String) async throws {
        throw MaintenanceError.unsupportedBackup(StorageLocation(kind: self, address: address))
    }

    /// Throws a ``MaintenanceError``, for a kind that cannot be compacted.
    public func compact(at address: String) async throws {
        throw MaintenanceError.unsupportedCompaction(StorageLocation(kind: self, address: address))
    }
}

extension [any StoreKind] {
    /// The kinds of stores in this package: LMDB environments, property-list files and memory.
    public static var local: [any StoreKind] { [LMDBStoreKind(), PlistStoreKind(), MemoryStoreKind()] }

    /// The kinds of stores in this package. An LMDB environment verifies every page before it uses the page.
    package static var verifyingLocal: [any StoreKind] {
        [LMDBStoreKind(verifiesPages: true), PlistStoreKind(), MemoryStoreKind()]
    }
}
